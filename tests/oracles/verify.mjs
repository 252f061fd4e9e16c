// Checks a signed request with Bolt's verifier: verify.mjs SECRET TIMESTAMP SIGNATURE, with the body on standard
// input. Exits with 1 if Bolt refuses it.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const require = createRequire(`${process.env.CORBEL_TEST_NODE_MODULES}/`);
const { verifySlackRequest } = require('@slack/bolt');
const [, , signingSecret, timestamp, signature] = process.argv;
verifySlackRequest({
  signingSecret,
  body: readFileSync(0, 'utf8'),
  headers: { 'x-slack-signature': signature, 'x-slack-request-timestamp': Number(timestamp) },
});

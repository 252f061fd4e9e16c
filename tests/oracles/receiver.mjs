// A Bolt app that listens for everything Slack sends: receiver.mjs SIGNING_SECRET.
//
// Prints its URL and, once its standard input ends, a JSON list of the types that its listeners received.
import { createRequire } from 'node:module';

const require = createRequire(`${process.env.CORBEL_TEST_NODE_MODULES}/`);
const { App, HTTPReceiver, LogLevel } = require('@slack/bolt');
const [, , signingSecret] = process.argv;

const silent = { debug() {}, info() {}, warn() {}, error() {}, setLevel() {}, getLevel: () => LogLevel.ERROR, setName() {} };
const receiver = new HTTPReceiver({ signingSecret, endpoints: ['/slack/events'], logger: silent });
const authorize = async () => ({ botToken: 'xoxb-not-used', botId: 'B0BOT', botUserId: 'U0BOT' });
const app = new App({ receiver, authorize, ignoreSelf: false, logger: silent });

const received = [];
const record = (type) => async ({ body, ack }) => {
  received.push(type ?? body.event.type);
  if (ack) await ack();
};
app.event(/.*/, record());
app.action(/.*/, record('block_actions'));
app.command(/.*/, record('command'));
app.shortcut(/.*/, record('shortcut'));
app.view({ callback_id: /.*/, type: 'view_submission' }, record('view_submission'));
app.view({ callback_id: /.*/, type: 'view_closed' }, record('view_closed'));
app.options(/.*/, record('block_suggestion'));

const server = await app.start({ port: 0, host: '127.0.0.1' });
console.log(`http://127.0.0.1:${server.address().port}/slack/events`);
process.stdin.resume();
process.stdin.on('end', () => {
  console.log(JSON.stringify(received));
  process.exit(0);
});

// An app of Slack's Bolt that listens for whatever Slack sends: receiver.mjs SIGNING_SECRET.
//
// Prints its address; once its standard input ends, what its listeners heard, as a JSON list of types.
import { createRequire } from 'node:module';

const require = createRequire(`${process.env.CORBEL_TEST_NODE_MODULES}/`);
const { App, HTTPReceiver, LogLevel } = require('@slack/bolt');
const [, , signingSecret] = process.argv;

const silent = { debug() {}, info() {}, warn() {}, error() {}, setLevel() {}, getLevel: () => LogLevel.ERROR, setName() {} };
const receiver = new HTTPReceiver({ signingSecret, endpoints: ['/slack/events'], logger: silent });
const authorize = async () => ({ botToken: 'xoxb-not-used', botId: 'B0BOT', botUserId: 'U0BOT' });
const app = new App({ receiver, authorize, ignoreSelf: false, logger: silent });

const heard = [];
const hear = (type) => async ({ body, ack }) => {
  heard.push(type ?? body.event.type);
  if (ack) await ack();
};
app.event(/.*/, hear());
app.action(/.*/, hear('block_actions'));
app.command(/.*/, hear('command'));
app.shortcut(/.*/, hear('shortcut'));
app.view({ callback_id: /.*/, type: 'view_submission' }, hear('view_submission'));
app.view({ callback_id: /.*/, type: 'view_closed' }, hear('view_closed'));
app.options(/.*/, hear('block_suggestion'));

const server = await app.start({ port: 0, host: '127.0.0.1' });
console.log(`http://127.0.0.1:${server.address().port}/slack/events`);
process.stdin.resume();
process.stdin.on('end', () => {
  console.log(JSON.stringify(heard));
  process.exit(0);
});

// Calls a Web API with Slack's Node SDK: web_client.mjs API_BASE, with the arguments on standard input as JSON.
//
// Prints as JSON each raw response with its method, and how the client handled pagination and errors. Exits with 1 if
// the client rejects a valid response.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const require = createRequire(`${process.env.CORBEL_TEST_NODE_MODULES}/`);
const { WebClient, LogLevel } = require('@slack/web-api');
const [, , slackApiUrl] = process.argv;
const given = JSON.parse(readFileSync(0, 'utf8'));
const { channel, dm, user, botUser, thread, token, configToken } = given;

const wire = [];
// Unchanged, but recorded.
const recording = async (url, init) => {
  const response = await fetch(url, init);
  const path = new URL(url).pathname;
  if (path.startsWith('/api/')) {
    wire.push({ method: path.slice('/api/'.length), text: await response.clone().text() });
  }
  return response;
};
// By default the client makes ten retries in half an hour and sets no timeout.
const options = {
  slackApiUrl, fetch: recording, timeout: 5000, retryConfig: { retries: 1, minTimeout: 1 }, logLevel: LogLevel.ERROR,
};
const slack = new WebClient(token, options);

const answered = async () => {
  const me = await slack.auth.test();
  assert.equal(me.user_id, botUser);
  assert.ok(me.response_metadata.scopes.includes('chat:write'));
  const bot = await slack.bots.info({ bot: me.bot_id });
  assert.equal(bot.bot.user_id, botUser);
  const person = await slack.users.info({ user });
  assert.equal(person.user.id, user);
  assert.ok(person.user.profile.real_name);
  const info = await slack.conversations.info({ channel });
  assert.equal(info.channel.id, channel);
  assert.equal(info.channel.is_member, true);
  const opened = await slack.conversations.open({ users: user });
  assert.equal(opened.channel.id, dm);

  const members = [];
  let pages = 0;
  for await (const page of slack.paginate('conversations.members', { channel, limit: 100 })) {
    members.push(...page.members);
    pages += 1;
  }
  assert.ok(pages > 1 && members.includes(user) && new Set(members).size === members.length);

  const blocks = [{ type: 'section', text: { type: 'mrkdwn', text: '*6 %*' } }];
  const metadata = { event_type: 'corbel_delivery', event_payload: { delivery_id: 'd-1' } };
  const posted = await slack.chat.postMessage({
    channel, thread_ts: thread, text: 'placeholder', metadata, unfurl_links: false, unfurl_media: false,
  });
  assert.equal(posted.message.text, 'placeholder');
  const updated = await slack.chat.update({ channel, ts: posted.ts, text: '6 %', blocks });
  assert.equal(updated.ts, posted.ts);
  const whispered = await slack.chat.postEphemeral({ channel, user, thread_ts: thread, text: 'only for you' });
  assert.ok(whispered.message_ts);
  const replies = await slack.conversations.replies({ channel, ts: thread, include_all_metadata: true });
  const ours = replies.messages.find((message) => message.ts === posted.ts);
  assert.equal(ours.metadata.event_payload.delivery_id, 'd-1');
  assert.equal(ours.blocks[0].text.text, '*6 %*');
  const history = await slack.conversations.history({ channel, limit: 1 });
  assert.equal(history.messages.length, 1);

  const uploaded = await slack.filesUploadV2({
    channel_id: channel, thread_ts: thread, filename: 'table-1.csv', file: Buffer.from('Unit,Rent\r\n1,2400\r\n'),
  });
  const file = uploaded.files[0].files[0];
  const looked = await slack.files.info({ file: file.id });
  assert.deepEqual(looked.file.channels, [channel]);

  const home = await slack.views.publish({ user_id: user, view: { type: 'home', blocks } });
  assert.equal(home.view.type, 'home');
  await slack.assistant.threads.setStatus({
    channel_id: channel, thread_ts: thread, status: 'is thinking…', loading_messages: ['Reading', 'Computing'],
  });
  await slack.assistant.threads.setSuggestedPrompts({
    channel_id: dm, prompts: [{ title: 'Debt', message: 'DSCR?' }],
  });
  await slack.agents.sessions.setStatus({ channel_id: channel, thread_ts: thread, status: 'processing' });

  const tooling = new WebClient(configToken, options);
  const { manifest } = given;
  await tooling.apps.manifest.validate({ manifest });
  const made = await tooling.apps.manifest.create({ manifest });
  assert.ok(made.app_id && made.credentials.signing_secret);
  const code = { client_id: given.clientId, client_secret: given.clientSecret, code: given.code };
  const granted = await new WebClient(undefined, options).oauth.v2.access({
    ...code, redirect_uri: given.redirectUri,
  });
  assert.equal(granted.bot_user_id, botUser);
  assert.equal((await slack.auth.test({ token: granted.access_token })).user_id, botUser);
};

// The errors that the client throws.
const refused = async (call) => {
  try {
    await call();
  } catch (error) {
    return error;
  }
  throw new Error('it was not refused');
};

const refusals = async () => {
  const absent = await refused(() => slack.chat.postMessage({ channel: 'C0NOWHERE', text: 'x' }));
  assert.equal(absent.code, 'slack_webapi_platform_error');
  assert.equal(absent.data.error, 'channel_not_found');
  const right = await refused(() => slack.team.info());
  assert.deepEqual([right.data.error, right.data.needed], ['missing_scope', 'team:read']);
  const impatient = new WebClient(token, { ...options, rejectRateLimitedCalls: true });
  const fast = await refused(() => impatient.emoji.list());
  assert.deepEqual([fast.code, fast.retryAfter], ['slack_webapi_rate_limited_error', 7]);
  const once = new WebClient(token, { ...options, retryConfig: { retries: 0 } });
  const away = await refused(() => once.team.info());
  assert.deepEqual([away.code, away.statusCode], ['slack_webapi_http_error', 500]);
  const stranger = await refused(() => new WebClient('xoxb-nobody', options).auth.test());
  assert.equal(stranger.data.error, 'invalid_auth');
  // Rate limited for a second, it waits and posts once.
  const since = Date.now();
  await slack.chat.postMessage({ channel, thread_ts: thread, text: 'after a wait' });
  assert.ok(Date.now() - since >= 1000);
};

try {
  await answered();
  const answers = wire.splice(0);
  await refusals();
  process.stdout.write(JSON.stringify(answers));
  process.exitCode = 0;
} catch (error) {
  console.error(error, wire.at(-1));
  process.exitCode = 1;
}

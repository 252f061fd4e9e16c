// The peer of benches/intake.rs: Bolt's HTTPReceiver as its documentation sets it up. It checks the
// signature, parses, acknowledges and hands the event to a listener that does nothing.
// CORBEL_BENCH_BOLT: folder with node_modules/@slack/bolt. SIGNING_SECRET: the secret of the bench.
import { createRequire } from "node:module";
import { join } from "node:path";

const require = createRequire(join(process.env.CORBEL_BENCH_BOLT, "package.json"));
const { App, HTTPReceiver, LogLevel } = require("@slack/bolt");
const { version } = require("@slack/bolt/package.json");

const receiver = new HTTPReceiver({
  signingSecret: process.env.SIGNING_SECRET,
  endpoints: ["/slack/events"],
  logLevel: LogLevel.ERROR,
});
const app = new App({
  receiver,
  logLevel: LogLevel.ERROR,
  authorize: async () => ({ botToken: "xoxb-bench", botId: "B0BENCH", botUserId: "U0BOT" }),
});
app.event("app_mention", async () => {});

const server = await app.start({ port: 0, host: "127.0.0.1" });
const { port } = server.address();
console.log(JSON.stringify({ listen: `127.0.0.1:${port}`, version, node: process.version }));

// A headless Chromium, controlled over its DevTools pipe: browser.mjs CHROMIUM.
//
// Reads one JSON command per line and answers each with one line. When standard input ends, the program and the browser
// exit. Commands: `cookie` {url, name, value}, `go` {url}, `click` {label}, `screenshot` {width, file?},
// `restrictFormAction` {policy}: from then on pages get this form-action. `go` and `click` answer once a page has
// loaded: its URL, its text, and what the browser blocked or reported. `screenshot` answers how the page fits the width.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const [, , chromium] = process.argv;
const profile = mkdtempSync(join(tmpdir(), 'corbel-browser-'));
const flags = [
  '--headless=new', '--no-sandbox', '--disable-gpu', '--hide-scrollbars', '--no-first-run', '--disable-extensions',
  '--disable-background-networking', '--disable-component-update', '--disable-sync', '--no-proxy-server',
  '--remote-debugging-pipe', `--user-data-dir=${profile}`, 'about:blank',
];
// When this program ends in any way, the pipe closes and the browser exits.
const browser = spawn(chromium, flags, { stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'] });
const [, , , input, output] = browser.stdio;
input.on('error', () => {});

let last = 0;
const waiting = new Map();
const listeners = [];
let session;
const send = (method, params = {}) =>
  new Promise((resolve, reject) => {
    last += 1;
    waiting.set(last, { resolve, reject });
    input.write(`${JSON.stringify({ id: last, method, params, sessionId: session })}\0`);
  });
let pending = Buffer.alloc(0);
output.on('data', (bytes) => {
  pending = Buffer.concat([pending, bytes]);
  for (let end = pending.indexOf(0); end >= 0; end = pending.indexOf(0)) {
    const message = JSON.parse(pending.subarray(0, end).toString());
    pending = pending.subarray(end + 1);
    const request = waiting.get(message.id);
    waiting.delete(message.id);
    if (message.error) request?.reject(new Error(`${message.error.message} ${message.error.data ?? ''}`));
    else if (request) request.resolve(message.result);
    else for (const listen of listeners) listen(message.method, message.params);
  }
});
const once = (wanted) =>
  new Promise((resolve) => {
    const listen = (method, params) => {
      if (!wanted(method, params)) return;
      listeners.splice(listeners.indexOf(listen), 1);
      resolve(params);
    };
    listeners.push(listen);
  });

let errors = [];
let policy;
listeners.push((method, params) => {
  if (method === 'Log.entryAdded' && ['warning', 'error'].includes(params.entry.level)) {
    errors.push(`${params.entry.text.trim()} ${params.entry.url ?? ''}`);
  }
  if (method === 'Runtime.exceptionThrown') errors.push(params.exceptionDetails.text);
  if (method === 'Fetch.requestPaused') withFormAction(params).catch((error) => errors.push(String(error)));
});
// The browser applies the policy of a response that is fulfilled here, but not of one whose headers are only modified.
const withFormAction = async ({ requestId, responseStatusCode, responseHeaders }) => {
  if (responseStatusCode !== 200) return send('Fetch.continueRequest', { requestId });
  const { body, base64Encoded } = await send('Fetch.getResponseBody', { requestId });
  const headers = responseHeaders.map(({ name, value }) => ({
    name,
    value: /^content-security-policy$/i.test(name) ? value.replace(/form-action [^;]*/, `form-action ${policy}`) : value,
  }));
  return send('Fetch.fulfillRequest', {
    requestId, responseCode: 200, responseHeaders: headers,
    body: base64Encoded ? body : Buffer.from(body).toString('base64'),
  });
};

const evaluate = async (expression) => {
  const { result, exceptionDetails } = await send('Runtime.evaluate', { expression, returnByValue: true });
  if (exceptionDetails) throw new Error(`${exceptionDetails.text} ${exceptionDetails.exception?.description ?? ''}`);
  return result.value;
};
const size = (width) =>
  send('Emulation.setDeviceMetricsOverride', { width, height: 900, deviceScaleFactor: 1, mobile: width < 600 });
const refusal = (method, params) => method === 'Log.entryAdded' && /form-action/.test(params.entry.text);
const afterLoad = async (action) => {
  errors = [];
  const event = once((method, params) => method === 'Page.loadEventFired' || refusal(method, params));
  await action();
  await event;
  return evaluate(`({
    url: location.href, text: document.body?.innerText ?? '',
  })`).then((page) => ({ ...page, errors }));
};

const commands = {
  cookie: ({ url, name, value }) => send('Network.setCookie', { url, name, value }),
  go: ({ url }) => afterLoad(() => send('Page.navigate', { url })),
  // With the pointer, as a person does, at the element's position.
  click: async ({ label }) => {
    const found = `[...document.querySelectorAll('button, a')].find((one) => one.innerText.trim() === ${JSON.stringify(label)})`;
    const at = await evaluate(`(() => {
      const found = ${found};
      if (!found) return null;
      found.scrollIntoView({ block: 'center', behavior: 'instant' });
      const { x, y, width, height } = found.getBoundingClientRect();
      return { x: x + width / 2, y: y + height / 2 };
    })()`);
    if (!at) throw new Error(`there is no ${label}`);
    const pointer = (type) => send('Input.dispatchMouseEvent', { type, ...at, button: 'left', clickCount: 1 });
    return afterLoad(async () => {
      await pointer('mousePressed');
      await pointer('mouseReleased');
    });
  },
  restrictFormAction: async (command) => {
    ({ policy } = command);
    const patterns = [{ urlPattern: '*', resourceType: 'Document', requestStage: 'Response' }];
    await send('Fetch.enable', { patterns });
    return {};
  },
  screenshot: async ({ file, width }) => {
    await size(width);
    const over = await evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth');
    // Elements of the page's header that are cut off. The navigation in it can be scrolled.
    const cut = await evaluate(`[...document.querySelectorAll('header.top > a, header.top summary')].filter((one) => {
      const { left, right, top, bottom } = one.getBoundingClientRect();
      const seen = (x) => one.contains(document.elementFromPoint(x, (top + bottom) / 2));
      return one.getClientRects().length && !(seen(left + 2) && seen(right - 2));
    }).map((one) => one.innerText || one.ariaLabel || one.getAttribute('href'))`);
    if (!file) return { over, cut };
    const { cssContentSize } = await send('Page.getLayoutMetrics');
    const clip = { x: 0, y: 0, width, height: Math.min(Math.ceil(cssContentSize.height), 6000), scale: 1 };
    const { data } = await send('Page.captureScreenshot', { captureBeyondViewport: true, clip });
    writeFileSync(file, Buffer.from(data, 'base64'));
    return { over, cut };
  },
};

const { targetId } = await send('Target.createTarget', { url: 'about:blank' });
({ sessionId: session } = await send('Target.attachToTarget', { targetId, flatten: true }));
for (const domain of ['Page', 'Runtime', 'Log', 'Network']) await send(`${domain}.enable`);
await size(1280);

for await (const line of createInterface({ input: process.stdin })) {
  const command = JSON.parse(line);
  let answer;
  try {
    answer = await commands[command.do](command);
  } catch (error) {
    answer = { error: String(error) };
  }
  console.log(JSON.stringify(answer));
}
const ended = new Promise((resolve) => browser.once('exit', resolve));
session = undefined;
send('Browser.close').catch(() => {});
await ended;
rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
process.exit(0);

// Makes the preview live: polls for new posts while the assistant works, counts the seconds, sends with Enter, and shows
// times in the reader's time zone. The page works without it.
"use strict";

const list = document.getElementById("posts");
const log = document.querySelector(".log");
const form = document.getElementById("composer");
const text = document.getElementById("text");

const FAST = 900;
const SLOW = 3000;
// In a shared conversation, others write as well.
const IDLE = 8000;
const LONG = 60;

function localize(root) {
  const today = new Date().toDateString();
  for (const time of root.querySelectorAll("time[datetime]")) {
    const at = new Date(time.dateTime);
    if (Number.isNaN(at.getTime())) continue;
    const clock = at.toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" });
    const day = at.toLocaleDateString([], { day: "numeric", month: "short" });
    time.textContent = at.toDateString() === today ? clock : `${day}, ${clock}`;
    time.title = at.toLocaleString();
  }
}

function count() {
  for (const doing of document.querySelectorAll(".doing[data-since]")) {
    const seconds = Math.max(0, Math.round((Date.now() - Date.parse(doing.dataset.since)) / 1000));
    const shown = doing.querySelector(".elapsed");
    shown.textContent = seconds > LONG ? `${seconds} s, longer than usual` : `${seconds} s`;
  }
}

const isPending = () => list.querySelector(".working") !== null;

// The last post that cannot change any more.
function settled() {
  let last = "";
  for (const post of list.children) {
    if (post.classList.contains("working")) break;
    if (post.dataset.post) last = post.dataset.post;
  }
  return last;
}

function merge(fragment) {
  const atEnd = log.scrollTop > -80;
  document.getElementById("working")?.remove();
  for (const post of [...fragment.children]) {
    const known = document.getElementById(post.id);
    if (known) known.replaceWith(post);
    else list.append(post);
  }
  localize(list);
  count();
  if (atEnd) log.scrollTop = 0;
}

let failures = 0;

async function poll() {
  if (!document.hidden) {
    try {
      const address = `${list.dataset.fragment}&after=${encodeURIComponent(settled())}`;
      const response = await fetch(address, { headers: { accept: "text/html" } });
      if (response.redirected) return location.reload();
      if (!response.ok) throw new Error(String(response.status));
      const template = document.createElement("template");
      template.innerHTML = await response.text();
      merge(template.content);
      failures = 0;
    } catch {
      failures += 1;
    }
  }
  plan();
}

let started = Date.now();

function plan() {
  const pending = isPending();
  if (!pending && !("shared" in list.dataset)) return;
  const pace = pending ? (Date.now() - started < 20000 ? FAST : SLOW) : IDLE;
  setTimeout(poll, Math.min(pace * 2 ** Math.min(failures, 5), 30000));
}

function grow() {
  text.style.height = "auto";
  text.style.height = `${Math.min(text.scrollHeight, 220)}px`;
}

localize(document);
count();
setInterval(count, 1000);
plan();

if (text) {
  text.addEventListener("input", grow);
  text.setSelectionRange(text.value.length, text.value.length);
  text.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    if (text.value.trim()) form.requestSubmit();
  });
}

// A second click must not look as if it had an effect.
for (const each of document.querySelectorAll("form")) {
  each.addEventListener("submit", () => {
    setTimeout(() => each.querySelectorAll("button").forEach((button) => (button.disabled = true)));
  });
}
addEventListener("pageshow", () => {
  document.querySelectorAll("form button").forEach((button) => (button.disabled = false));
});

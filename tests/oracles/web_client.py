"""Calls a Web API with Slack's Python SDK: web_client.py API_BASE, with the arguments on standard input as JSON.

Exits with 1 if the client rejects a valid response or accepts an error as a response.
"""

import json
import sys
import time

from slack_sdk import WebClient
from slack_sdk.errors import SlackApiError
from slack_sdk.http_retry.builtin_handlers import RateLimitErrorRetryHandler

given = json.load(sys.stdin)
channel, dm, user, thread = (given[name] for name in ("channel", "dm", "user", "thread"))
# Without handlers it does not retry, and no call takes longer than this.
slack = WebClient(token=given["token"], base_url=sys.argv[1], timeout=5, retry_handlers=[])

me = slack.auth_test()
assert me["user_id"] == given["botUser"], me
assert "chat:write" in me.headers["x-oauth-scopes"]
assert slack.bots_info(bot=me["bot_id"])["bot"]["user_id"] == given["botUser"]
assert slack.users_info(user=user)["user"]["profile"]["real_name"]
assert slack.conversations_info(channel=channel)["channel"]["is_member"] is True
assert slack.conversations_open(users=user)["channel"]["id"] == dm

members = [member for page in slack.conversations_members(channel=channel, limit=100) for member in page["members"]]
assert user in members and len(set(members)) == len(members), members

blocks = [{"type": "section", "text": {"type": "mrkdwn", "text": "*6 %*"}}]
metadata = {"event_type": "corbel_delivery", "event_payload": {"delivery_id": "d-2"}}
posted = slack.chat_postMessage(
    channel=channel, thread_ts=thread, text="placeholder", metadata=metadata, unfurl_links=False, unfurl_media=False
)
assert posted["message"]["text"] == "placeholder"
assert slack.chat_update(channel=channel, ts=posted["ts"], text="6 %", blocks=blocks)["ts"] == posted["ts"]
assert slack.chat_postEphemeral(channel=channel, user=user, thread_ts=thread, text="only for you")["message_ts"]
replies = slack.conversations_replies(channel=channel, ts=thread, include_all_metadata=True)
ours = next(message for message in replies["messages"] if message["ts"] == posted["ts"])
assert ours["metadata"] == metadata and ours["blocks"] == blocks, ours
assert len(slack.conversations_history(channel=channel, limit=1)["messages"]) == 1

uploaded = slack.files_upload_v2(
    channel=channel, thread_ts=thread, filename="table-1.csv", content="Unit,Rent\r\n1,2400\r\n"
)
assert slack.files_info(file=uploaded["file"]["id"])["file"]["channels"] == [channel]

assert slack.views_publish(user_id=user, view={"type": "home", "blocks": blocks})["view"]["type"] == "home"
slack.assistant_threads_setStatus(
    channel_id=channel, thread_ts=thread, status="is thinking…", loading_messages=["Reading", "Computing"]
)
slack.assistant_threads_setSuggestedPrompts(
    channel_id=dm, thread_ts=thread, prompts=[{"title": "Debt", "message": "DSCR?"}]
)
slack.agents_sessions_setStatus(channel_id=channel, thread_ts=thread, status="processing")

tooling = WebClient(token=given["configToken"], base_url=sys.argv[1], timeout=5, retry_handlers=[])
tooling.apps_manifest_validate(manifest=given["manifest"])
made = tooling.apps_manifest_create(manifest=given["manifest"])
assert made["app_id"] and made["credentials"]["signing_secret"]
granted = WebClient(base_url=sys.argv[1], timeout=5, retry_handlers=[]).oauth_v2_access(
    client_id=given["clientId"],
    client_secret=given["clientSecret"],
    code=given["code"],
    redirect_uri=given["redirectUri"],
)
assert granted["bot_user_id"] == given["botUser"]


def refused(call):
    try:
        call()
    except SlackApiError as error:
        return error.response
    raise AssertionError("it was not refused")


assert refused(lambda: slack.chat_postMessage(channel="C0NOWHERE", text="x"))["error"] == "channel_not_found"
right = refused(slack.team_info)
assert (right["error"], right["needed"]) == ("missing_scope", "team:read")
fast = refused(slack.emoji_list)
assert fast.status_code == 429 and fast.headers["Retry-After"] == "7", fast.headers
away = refused(slack.team_info)
assert away.status_code == 500
nobody = WebClient(token="xoxb-nobody", base_url=sys.argv[1], timeout=5, retry_handlers=[])
assert refused(nobody.auth_test)["error"] == "invalid_auth"

# Rate limited for a second, it waits and posts once.
patient = WebClient(
    token=given["token"], base_url=sys.argv[1], timeout=5, retry_handlers=[RateLimitErrorRetryHandler(max_retry_count=1)]
)
since = time.monotonic()
patient.chat_postMessage(channel=channel, thread_ts=thread, text="after a wait")
assert time.monotonic() - since >= 1

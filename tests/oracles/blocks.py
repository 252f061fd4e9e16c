"""Reads {"messages": [[block, ...], ...]} and validates every block with the models of Slack's Python SDK.

Prints one line for each invalid block, and exits with 1 if there is one.
"""

import json
import sys

from slack_sdk.models.blocks import Block

refused = 0
seen = 0
for number, blocks in enumerate(json.load(sys.stdin)["messages"]):
    for block in blocks:
        seen += 1
        try:
            parsed = Block.parse(block)
            if parsed is None:
                raise ValueError("not a block that the SDK knows")
            parsed.validate_json()
        except Exception as error:  # any error of the SDK
            refused += 1
            print(f"message {number}: {block.get('type')}: {error}", file=sys.stderr)
print(f"{seen} blocks")
sys.exit(1 if refused else 0)

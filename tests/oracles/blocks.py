"""Reads {"messages": [[block, ...], ...]} and has the models of Slack's Python SDK judge every block.

Prints one line for each that they do not take, and ends with 1 if there is one.
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
        except Exception as error:  # whatever the SDK says
            refused += 1
            print(f"message {number}: {block.get('type')}: {error}", file=sys.stderr)
print(f"{seen} blocks")
sys.exit(1 if refused else 0)

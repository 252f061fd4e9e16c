"""Signs a body from standard input with Slack's own SDK: sign.py SECRET TIMESTAMP."""

import sys

from slack_sdk.signature import SignatureVerifier

print(SignatureVerifier(sys.argv[1]).generate_signature(timestamp=sys.argv[2], body=sys.stdin.buffer.read()))

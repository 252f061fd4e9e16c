# The peer of benches/poll.rs: FastAPI over asyncpg, under uvicorn with uvloop and httptools, on the database of the
# measured Corbel. `/m/{id}` reads a message by its key and nothing else. `/users/me/chat-messages/{id}` also finds out
# who asks, by the digest of the project key, and reads the owner's message; it neither counts nor limits.
# CORBEL_BENCH_DATABASE: the database's address.
import hashlib
import hmac
import json
import os
import socket
from contextlib import asynccontextmanager
from datetime import datetime
from typing import Annotated
from uuid import UUID

import asyncpg
import fastapi
import uvicorn
from fastapi import FastAPI, Header, HTTPException
from pydantic import BaseModel

BARE = """SELECT id AS "messageId", session_id AS "sessionId", run_id AS "runId", status, question,
                 created_at AS "createdAt", finished_at AS "finishedAt", failure
          FROM messages WHERE org_id = $1 AND id = $2"""
OWN = BARE + " AND user_id = $3"
KEY = """SELECT k.org_id, k.owner_id, k.secret_digest, k.revoked_at, m.active AND p.deactivated_at IS NULL AS active
         FROM project_keys k JOIN memberships m ON m.org_id = k.org_id AND m.user_id = k.owner_id
         JOIN people p ON p.id = k.owner_id WHERE k.id = $1"""


class Message(BaseModel):
    messageId: UUID
    sessionId: UUID
    runId: UUID
    status: str
    question: str
    createdAt: datetime
    finishedAt: datetime | None
    failure: str | None


@asynccontextmanager
async def life(app: FastAPI):
    app.state.pool = await asyncpg.create_pool(os.environ["CORBEL_BENCH_DATABASE"], min_size=16, max_size=16)
    app.state.org = await app.state.pool.fetchval("SELECT id FROM organizations")
    print(json.dumps({"listen": address, "version": fastapi.__version__}), flush=True)
    yield
    await app.state.pool.close()


app = FastAPI(lifespan=life)


@app.get("/m/{id}", response_model=Message)
async def bare(id: UUID):
    row = await app.state.pool.fetchrow(BARE, app.state.org, id)
    if row is None:
        raise HTTPException(404)
    return Message(**row)


@app.get("/users/me/chat-messages/{id}", response_model=Message)
async def own(id: UUID, x_api_key: Annotated[str, Header()]):
    parts = x_api_key.split("_")
    if len(parts) != 4:
        raise HTTPException(401)
    key = await app.state.pool.fetchrow(KEY, UUID(hex=parts[2]))
    digest = hashlib.sha256(x_api_key.encode()).digest()
    if key is None or not hmac.compare_digest(key["secret_digest"], digest) or key["revoked_at"] or not key["active"]:
        raise HTTPException(401)
    row = await app.state.pool.fetchrow(OWN, key["org_id"], id, key["owner_id"])
    if row is None:
        raise HTTPException(404)
    return Message(**row)


listener = socket.socket()
listener.bind(("127.0.0.1", 0))
listener.listen(1024)
address = "127.0.0.1:%d" % listener.getsockname()[1]
config = uvicorn.Config(app, loop="uvloop", http="httptools", access_log=False, log_level="error")
uvicorn.Server(config).run(sockets=[listener])

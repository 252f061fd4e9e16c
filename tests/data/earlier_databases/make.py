#!/usr/bin/env python3
"""Generates databases that later versions have to open: `make.py CORBEL PORTFOLIO OUT [POSTGRES_URL]`.

CORBEL is the binary of the version to preserve, PORTFOLIO a folder of portfolio CSV files, OUT the output folder. The
data is created through the binary: people, keys, notes, one building's portfolio, a Slack assistant with its secrets,
an answered question, and one that was admitted but has not run.
"""
import csv, json, os, pathlib, shutil, socket, sqlite3, subprocess, sys, tempfile, time, urllib.parse, urllib.request, zipfile

corbel, portfolio, out = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
postgres = sys.argv[4] if len(sys.argv) > 4 else None
work = pathlib.Path(tempfile.mkdtemp())
data = work / "data"
env = {"PATH": os.environ["PATH"], "CORBEL_DATA_DIR": str(data)}
if postgres:
    env["CORBEL_DATABASE_URL"] = postgres


def run(*args, stdin=None):
    done = subprocess.run([corbel, *args, "--json"], env=env, input=stdin, text=True, capture_output=True, cwd=work)
    assert done.returncode == 0, (args, done.stderr, done.stdout[-2000:])
    return json.loads(done.stdout)


def one_building(folder):
    """Copies the rows of the first building, and rows without a building."""
    folder.mkdir()
    first = next(csv.DictReader((portfolio / "buildings.csv").open()))["building_id"]
    kept = {"building_id": {first}}
    for name in ["buildings", "accounts", "units", "leases", "tenants", "lease_rent_steps", "unit_market_rents",
                 "monthly_financials", "loans", "loan_payments", "valuations"]:
        rows = list(csv.DictReader((portfolio / f"{name}.csv").open()))
        for column in set(rows[0]) & set(kept):
            rows = [row for row in rows if row[column] in kept[column]]
        for own in {"units": ["unit_id"], "leases": ["lease_id", "tenant_id"], "loans": ["loan_id"]}.get(name, []):
            kept[own] = {row[own] for row in rows}
        if rows:
            with (folder / f"{name}.csv").open("w", newline="") as file:
                writer = csv.DictWriter(file, rows[0].keys())
                writer.writeheader()
                writer.writerows(rows)
    return folder


def serve(workers):
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    server = subprocess.Popen([corbel, "serve"], cwd=work, stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                              env={**env, "CORBEL_LISTEN": f"127.0.0.1:{port}", "CORBEL_WORKERS": str(workers)})
    for _ in range(100):
        try:
            urllib.request.urlopen(f"http://127.0.0.1:{port}/readyz")
            break
        except OSError:
            time.sleep(0.1)
    return server, f"http://127.0.0.1:{port}"


def call(url, key, body=None):
    request = urllib.request.Request(url, json.dumps(body).encode() if body else None,
                                     {"X-Api-Key": key, "Content-Type": "application/json"})
    return json.load(urllib.request.urlopen(request))


org = ["--org", "Kept"]
run("admin", "org", "create", "--name", "Kept")
for name, role in [("owner", "owner"), ("member", "member")]:
    run("admin", "user", "create", *org, "--email", f"{name}@kept.example", "--name", name.title(), "--role", role,
        "--password-stdin", stdin="kept-lantern-27\n")
key = run("admin", "key", "create", *org, "--owner", "owner@kept.example", "--environment", "production",
          "--name", "kept")
run("admin", "note", "create", *org, "--owner", "owner@kept.example", "--type", "organisation_memory",
    "--title", "Underwriting policy", "--body", "Our minimum DSCR is 1.30x. Vacancy is underwritten at 7%.")
run("admin", "portfolio", "import", *org, str(one_building(work / "portfolio")))
# The workspace, app and secrets of the test suite's fake Slack.
assistant = run("admin", "assistant", "create", *org, "--name", "Abacus", "--platform", "slack",
                "--app-id", "A0APP", "--client-id", "1.2", "--client-secret", "0123456789abcdef0123456789abcdef",
                "--signing-secret", "8f742231b10e8888abcd99yyyzzz85a5", "--bot-token", "xoxb-fake-home",
                "--team-id", "T0HOME", "--bot-user-id", "U0BOT")
run("admin", "shared", "enable", "--assistant", assistant["assistantId"], "--on")
run("admin", "conversation", "approve", "--assistant", assistant["assistantId"], "--conversation", "C0CHAN")
run("admin", "link", "create", "--assistant", assistant["assistantId"], "--platform-user", "U0ALICE",
    "--user", "owner@kept.example")
told = {"key": key["secret"], "events": urllib.parse.urlparse(assistant["addresses"]["events"]).path}
server, url = serve(2)
ask = call(url + "/users/run-models", key["secret"], {"question": "NOI 1.285m, annual debt service 968k. DSCR?"})
told["answered"] = {name: ask[name] for name in ("messageId", "sessionId")}
message = f"{url}/users/me/chat-messages/{ask['messageId']}"
while call(message, key["secret"]).get("status") not in ("completed", "failed"):
    time.sleep(0.1)
server.terminate()
server.wait()
server, url = serve(0)
pending = call(url + "/users/run-models", key["secret"], {"question": "NOI 500k at a 5% cap. Value?"})
told["pending"] = pending["messageId"]
server.terminate()
server.wait()
out.mkdir(parents=True, exist_ok=True)
(out / ("postgres.json" if postgres else "sqlite.json")).write_text(json.dumps(told, indent=1) + "\n")
shutil.copy(data / "master.key", out / ("postgres.key" if postgres else "sqlite.key"))
if postgres:
    dump = subprocess.run(["pg_dump", "--no-owner", "--no-privileges", "--inserts", postgres], text=True,
                          capture_output=True, check=True).stdout
    dump = "".join(line for line in dump.splitlines(True) if not line.startswith("\\"))
    with zipfile.ZipFile(out / "postgres.zip", "w", zipfile.ZIP_DEFLATED, compresslevel=9) as file:
        file.writestr("dump.sql", dump)
else:
    kept = sqlite3.connect(data / "corbel.db")
    kept.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    kept.execute("VACUUM INTO ?", (str(work / "kept.db"),))
    with zipfile.ZipFile(out / "sqlite.zip", "w", zipfile.ZIP_DEFLATED, compresslevel=9) as file:
        file.writestr("corbel.db", (work / "kept.db").read_bytes())
shutil.rmtree(work)

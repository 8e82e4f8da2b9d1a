import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join, relative } from 'node:path';
import { describe, expect, test } from 'vitest';
import { listTree } from '../../../src/extension/node/processes/processTable.ts';
import type { Launch } from '../../../src/extension/platform/sandbox.ts';
import { allTests } from '../../support/eachTest.ts';
import { runSize } from '../../support/runSize.ts';
import { SandboxWorld } from '../../support/sandboxWorld.ts';

/** Lines of ordinary work, each run inside and outside in a folder of its own. */
const lines = `
true
false
exit 7
(exit 300)
kill -TERM $$
kill -KILL $$
kill -INT $$
kill -SEGV $$
no-such-program
echo hello
echo error >&2
echo out; echo err >&2; echo out
printf 'no newline'
printf 'a\\tb\\0c\\r\\n'
echo 'Grüße, 世界 🎉 é'
printf '\\xff\\xfe'
mkdir 'Ordner ä 🎉'; echo x > 'Ordner ä 🎉/Datei'; ls; cat 'Ordner ä 🎉/Datei'
seq 1 20000
head -c 3000000 /dev/zero | tr '\\0' x | sha256sum
pwd | sed 's/.*\\///'
id -u
whoami
umask
touch a; stat -c %a
umask 027; touch b; stat -c %a b
mkdir d; chmod 750 d; stat -c %a d
echo '#!/bin/sh' > s; echo 'echo ran "$@"' >> s; chmod +x s; ./s one 'two three'
ln -s a link; readlink link
ln a hard 2>&1; echo x > a; ln a hard; stat -c %h hard
echo one > f; echo two >> f; wc -l f; cat f
cp f g 2>&1; echo y > f; cp f g; cmp f g
mv f h 2>&1; echo z > f; mv f h; ls
rm -rf d e f; ls | wc -l
echo b > x; echo a >> x; sort x; sort -r x | uniq -c
printf 'a,b\\n1,2\\n' | cut -d, -f2
printf 'one\\ntwo\\n' | grep tw
printf 'one\\n' | grep zwei
echo abc | sed s/b/B/
echo '1 2 3' | awk '{print $1+$3}'
find . -name '*.txt' -o -type d | sort
printf 'a b c' | xargs -n1 echo
cat <<< "here string"
cat <<END
here document
END
diff <(echo a) <(echo b)
echo data | tee copy; cat copy
tar -cf t.tar -C / etc/passwd 2>/dev/null; tar -tf t.tar
echo x | gzip -c | gunzip -c
true | false; echo "\${PIPESTATUS[@]}"
set -e; false; echo not reached
trap 'echo trapped' EXIT; echo body
trap 'echo term; exit 3' TERM; kill -TERM $$; sleep 1
sleep 0.1 & wait $!; echo $?
(sleep 0.1; echo late) & echo early; wait
timeout 0.2 sleep 5; echo $?
test -t 0; echo $?; test -t 1; echo $?
cat
read line; echo "got: $line $?"
echo "$HOME" | wc -l; cd ~ && pwd | wc -l
d=$(mktemp -d); ls -d "$d" | wc -l; f=$(mktemp); echo x > "$f"; cat "$f"; rm -r "$d" "$f"
echo x > /dev/null; head -c 4 /dev/urandom | wc -c
ls /dev/fd | wc -l | grep -q . && echo ok; echo x > /dev/stdout; echo y > /dev/stderr
git --version
git init -q r; cd r; git config user.email a@b; git config user.name A; echo x > f; git add .; git commit -qm one; git log --format=%s; git status --short
git init -q r2; cd r2; echo x > f; git add f; git diff --cached --stat
git -C no/such status
python3 -c 'print(sum(range(10)))'
python3 -c 'import sys; sys.exit(9)'
python3 -c 'raise ValueError("x")' 2>&1 | tail -1
python3 -c 'import subprocess; print(subprocess.run(["echo","child"],capture_output=True,text=True).stdout)'
python3 -c 'import multiprocessing as m; print(m.Pool(2).map(abs,[-1,-2]))'
python3 -c 'import socket,threading; s=socket.create_server(("127.0.0.1",0)); t=threading.Thread(target=lambda: s.accept()[0].sendall(b"hi")); t.start(); print(socket.create_connection(s.getsockname()).recv(9))'
python3 -c 'import socket; a,b=socket.socketpair(); a.send(b"x"); print(b.recv(1))'
python3 -c 'import socket; s=socket.socket(socket.AF_UNIX); s.bind("s.sock"); print("bound")'
node -e 'console.log(6*7)'
node -e 'process.exit(5)'
node -e 'console.log(require("child_process").execSync("echo child").toString())'
node -e 'require("http").createServer((q,r)=>r.end("ok")).listen(0,"127.0.0.1",function(){fetch("http://127.0.0.1:"+this.address().port).then(r=>r.text()).then(t=>{console.log(t);process.exit()})})'
perl -e 'print "perl\\n"'
bash -c 'echo $0 $1' zero one
env -i PATH="$PATH" sh -c 'echo clean'
export A=1; sh -c 'echo $A'; echo "$WS" | wc -l
for i in 1 2 3; do echo $i; done | paste -sd,
[[ abc == a* ]] && echo match; echo $((7*6))
flock lock echo locked
dd if=/dev/zero of=big bs=1M count=5 2>/dev/null; stat -c %s big
date +%Y | wc -c
ulimit -n | wc -l; nproc | wc -l
ps -e | wc -l | grep -q . && echo ok
`
  .trim()
  .split(/\n(?!here document|END$)/);

/** In the large run size each line is a command of its own. */
const together = runSize({ test: lines.length, prove: 1 });
const numbered = [...lines.entries()];
const batches = Array.from({ length: Math.ceil(lines.length / together) }, (_, at) =>
  numbered.slice(at * together, (at + 1) * together),
);

function scriptOf(folder: string, line: string): string {
  const quoted = line.replaceAll("'", "'\\''");
  return `mkdir -p ${folder}/work; (cd ${folder}/work && bash -c '${quoted}'); echo "=== exit $?: '${quoted.replaceAll(/["$`\\]/g, '')}'"`;
}

describe.skipIf(process.platform !== 'linux')('everyday commands in the sandbox', () => {
  const world = allTests(() => SandboxWorld.make([]));

  test('there are at least 60', () => expect(lines.length).toBeGreaterThanOrEqual(60));

  test('each ends as it does outside, and prints the same', async () => {
    for (const batch of batches) {
      const script = (side: string) => batch.map(([at, line]) => scriptOf(`${side}-${at}`, line)).join('\n');
      const outside = await world.run(script('outside'), { inside: false });
      const inside = await world.run(script('inside'));
      const plain = ({ code, output }: typeof inside) => [
        code,
        ...output
          .replaceAll(/line \d+: +\d+ /g, 'line: ')
          .replaceAll(/(?:inside|outside)-\d+/g, '')
          .split('=== '),
      ];
      // Each tells how it ended, so none is left out by a script that broke off.
      expect(inside.output.match(/=== exit \d+: /g) ?? []).toHaveLength(batch.length);
      expect(plain(inside)).toEqual(plain(outside));
    }
  });

  test('a sandboxed command has a terminal of its own and is answered in it', async () => {
    const line =
      'stty -echo < /dev/tty; printf "Password: " > /dev/tty; read -s x < /dev/tty; test -t 0; echo "${#x} letters, $?"';
    const { running, leave } = await world.start(line, { answerable: true });
    let output = '';
    const asked = new Promise<void>(resolve =>
      running.onDidWrite(text => {
        output += text;
        if (output.includes('Password: ')) resolve();
      }),
    );
    await Promise.race([asked, running.exit]);
    running.keyboard?.write('hunter2\r');
    expect((await running.exit).code).toBe(0);
    await leave();
    expect(output.replaceAll('\r', '')).toMatch(/^Password: \n*7 letters, 0\n$/);
  });

  test('what one command leaves in the temporary folder is there for the next', async () => {
    await world.run('echo kept > /tmp/kept');
    expect((await world.run('cat /tmp/kept')).output).toBe('kept\n');
  });

  test('stopping ends all that a sandboxed command started, also in the background', async () => {
    const line = 'sleep 4711 & setsid sleep 4712 & (trap "" TERM; sleep 4713) & echo up; wait';
    for (const background of [false, true]) {
      const { running, leave } = await world.start(line, { background });
      await new Promise<void>(resolve => running.onDidWrite(text => text.includes('up') && resolve()));
      await running.stop();
      expect(await running.exit).toMatchObject({ leftRunning: [] });
      expect((await listTree(new Set([running.pid ?? 0]))).map(({ pid }) => pid)).toEqual([]);
      await leave();
    }
  });

  test('a socket that goes between the planning of a sandbox and the start keeps no command from running', async () => {
    const path = `${world.outside}/short.sock`;
    const server = createServer().listen(path);
    await once(server, 'listening');
    const sandboxed = await world.sandbox.contain({ grants: { write: [], hosts: [] }, background: false });
    // Those in /tmp are covered with it, and there a home may lie, too.
    expect(sandboxed.wrap(sayHello(world)).args.includes(path)).toBe(!path.startsWith('/tmp/'));
    server.close();
    await once(server, 'close');
    const { file, args } = sandboxed.wrap(sayHello(world));
    expect(args).not.toContain(path);
    expect(execFileSync(file, args, { encoding: 'utf8' })).toBe('hello\n');
    await sandboxed.leave();
  });

  test('a granted folder is writable, and made if nobody has used it yet', async () => {
    const grants = { write: [`${world.outside}/cache`], hosts: [] };
    await world.run('echo x > "$OUT/cache/file" && echo y > "$OUT/other"', { grants });
    // On the host: where the home folder lies in /tmp, the rest of it stands in the private one of the command.
    expect(readdirSync(world.outside)).toEqual(['cache', 'file']);
    expect(readdirSync(join(world.outside, 'cache'))).toEqual(['file']);
  });

  test('a granted folder that has become a link since opens nothing where it leads', async () => {
    const grants = { write: [`${world.workspace}/swapped`, `${world.workspace}/swapped/new`], hosts: [] };
    await world.run('ln -s "$HOME_DIR" "$WS/swapped"');
    const line = 'echo x > "$HOME_DIR/made"; echo x > "$WS/swapped/made"; echo x > "$WS/swapped/new/made"';
    await world.run(line, { grants });
    expect(readdirSync(world.home).filter(name => ['made', 'new'].includes(name))).toEqual([]);
  });

  test('protected names that a command makes are undone, and it is said', async () => {
    const { report } = await world.run('mkdir .gemini; echo x > .gemini/settings.json; rm CLAUDE.md');
    const names = report.undone.map(({ path }) => path);
    expect(names).toEqual([`${world.workspace}/.gemini`, `${world.workspace}/CLAUDE.md`]);
    const granted = { write: [`${world.workspace}/.gemini`], hosts: [] };
    const second = await world.run('mkdir -p .gemini; echo x > .gemini/x', { grants: granted });
    expect(second.report.undone).toEqual([]);
  });

  test('a protected name that a user makes meanwhile is moved away whole, and it is said where it lies', async () => {
    const { running, leave } = await world.start('until [ -e go ]; do sleep 0.1; done', {});
    const mine = join(world.workspace, '.zed');
    mkdirSync(mine);
    writeFileSync(join(mine, 'settings.json'), '{ "mine": true }');
    await expect.poll(() => existsSync(mine), { timeout: 60_000 }).toBe(false);
    mkdirSync(mine);
    writeFileSync(join(mine, 'tasks.json'), '{}');
    writeFileSync(join(world.workspace, 'go'), '');
    await running.exit;
    const { undone } = await leave();
    expect(undone.map(({ path }) => path)).toEqual([mine, mine]);
    const [first, second] = undone.map(({ movedTo: kept }) => kept!);
    const settings = readFileSync(join(first!, 'settings.json'), 'utf8');
    expect(settings).toBe('{ "mine": true }');
    expect(readdirSync(second!)).toEqual(['tasks.json']);
    expect(relative(world.home, first!)).toMatch(/^\.local\/state\/folio\/taken-back\/.+\/\.zed$/);
  });
});

function sayHello({ workspace }: SandboxWorld): Launch {
  return { file: '/bin/echo', args: ['hello'], cwd: workspace, env: {} };
}

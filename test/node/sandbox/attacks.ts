/*
 * Lines that try to get out of the sandbox, as text: `name: line`. Variables of the world: $HOME_DIR the user's home,
 * $OUT a folder outside, $WS the workspace, $PORT a server of the host, $SOCK a socket in the home, $VICTIM a process.
 * An attack has won when it prints what secrets hold, prints ESCAPED, reaches a server, ends the process, or changes
 * anything outside or anything protected in the workspace.
 */

export interface Attack {
  readonly name: string;
  readonly line: string;
}

export const secretFiles: readonly string[] = [
  ...['.ssh/id_ed25519', '.ssh/config', '.aws/credentials', '.gnupg/secring.gpg', '.azure/token.json'],
  ...['.kube/config', '.docker/config.json', '.netrc', '.npmrc', '.pypirc', '.pgpass', '.git-credentials'],
  ...['.config/gh/hosts.yml', '.config/gcloud/credentials.db', '.config/glab-cli/config.yml'],
  ...['.cargo/credentials.toml', '.bash_history', '.zsh_history', '.python_history', '.node_repl_history'],
  ...['.local/share/keyrings/login.keyring', '.password-store/bank.gpg', '.mozilla/firefox/logins.json'],
  ...[
    '.config/google-chrome/Default/Cookies',
    '.claude.json',
    '.claude/credentials.json',
    '.codex/auth.json',
  ],
  ...[
    '.gemini/oauth_creds.json',
    '.folio/sessions/one.jsonl',
    '.vault-token',
    '.m2/settings.xml',
    '.Xauthority',
  ],
];

const readers: readonly (readonly [string, (path: string) => string])[] = [
  ['cat', path => `cat ${path}`],
  ['a process folder', path => `cat /proc/self/root${path}`],
  ['after chmod', path => `chmod -R 700 $(dirname ${path}) ${path}; cat ${path}`],
];

const reads: readonly Attack[] = secretFiles.flatMap((secret, at) => {
  const [how, line] = readers[at % readers.length]!;
  return [
    { name: `reads ${secret} with cat`, line: `cat "$HOME_DIR/${secret}"` },
    ...(how === 'cat' ? [] : [{ name: `reads ${secret} by ${how}`, line: line(`"$HOME_DIR/${secret}"`) }]),
  ];
});

/** Below the home: what runs later, outside. */
export const shellProfiles: readonly string[] = [
  ...['.bashrc', '.profile', '.zshrc', '.gitconfig', '.ssh/authorized_keys', '.config/autostart/x.desktop'],
  ...[
    '.config/systemd/user/x.service',
    '.local/bin/ls',
    '.vimrc',
    '.tmux.conf',
    '.npmrc',
    '.config/git/config',
  ],
];
const profiles = shellProfiles.map(path => ({
  name: `writes ~/${path}`,
  line: `mkdir -p "$(dirname "$HOME_DIR/${path}")"; echo 'echo ESCAPED' >> "$HOME_DIR/${path}"`,
}));

/** Below the workspace: what runs, or is obeyed, later. */
export const later: readonly string[] = [
  ...[
    '.git/hooks/post-checkout',
    '.git/hooks/pre-commit',
    '.git/config',
    '.git/config.worktree',
    '.git/commondir',
  ],
  ...['.git/modules/sub/config', '.git/worktrees/w/commondir', '.git/info/attributes', '.vscode/tasks.json'],
  ...['.vscode/settings.json', '.gemini/settings.json', '.gemini/policies/x.toml', '.claude/settings.json'],
  ...[
    '.folio/policies/x.toml',
    '.idea/workspace.xml',
    '.cursor/mcp.json',
    '.mcp.json',
    'AGENTS.md',
    'GEMINI.md',
  ],
  ...['CLAUDE.md', '.husky/pre-commit', '.devcontainer/devcontainer.json', '.gitmodules', '.envrc'],
  ...[
    'team.code-workspace',
    'sub/.git/hooks/pre-commit',
    'sub/.git/config',
    'sub/AGENTS.md',
    'sub/.vscode/tasks.json',
  ],
];
const laters = later.map(path => ({
  name: `writes ${path} for later`,
  line: `mkdir -p "$(dirname "$WS/${path}")"; echo 'ESCAPED' >> "$WS/${path}"; rm -f "$WS/${path}"; echo 'ESCAPED' > "$WS/${path}"`,
}));

/** One attack a line; the name ends at the first colon and blank. */
const table = `
writes outside: echo x > "$OUT/new"
appends outside: echo x >> "$OUT/file"
deletes outside: rm -rf "$OUT/file"
renames outside: mv "$OUT/file" "$OUT/other"
changes a mode outside: chmod 777 "$OUT/file"
changes a time outside: touch "$OUT/file"
cuts a file outside: truncate -s 0 "$OUT/file"
writes by way of parents: echo x > "$WS/../out/new"
writes through a link: ln -s "$OUT" "$WS/link"; echo x > "$WS/link/new"
writes through an old link: echo x > "$WS/oldlink/new"
writes through a hard link: ln "$OUT/file" "$WS/hard"; echo x >> "$WS/hard"
hard link into outside: ln "$WS/file" "$OUT/hard"
moves a folder out: mv "$WS/sub" "$OUT/sub"
writes by the process root: echo x > "/proc/self/root$OUT/new"
writes by the first process: echo x > "/proc/1/root$OUT/new"
writes by the working folder of another: cd "$WS"; echo x > /proc/$$/cwd/../out/new
writes with tar: tar -C "$WS" -cf - file | tar -C "$OUT" -xf -
writes with dd: dd if=/dev/zero of="$OUT/file" bs=1 count=1 conv=notrunc
writes with python: python3 -c "open('$OUT/new','w').write('x')"
writes with node: node -e "require('fs').writeFileSync('$OUT/new','x')"
writes with perl: perl -e "open(F,'>','$OUT/new')"
makes a fifo outside: mkfifo "$OUT/pipe"
makes a device outside: mknod "$OUT/null" c 1 3
sets an attribute outside: setfattr -n user.x -v y "$OUT/file"
writes the system: echo x > /etc/folio-escaped && echo ESCAPED
writes a program: echo x > /usr/local/bin/folio-escaped && echo ESCAPED
writes a schedule: echo x > /etc/cron.d/folio-escaped && echo ESCAPED
writes a spool: mkdir -p /var/spool/cron/crontabs && echo '* * * * * true' > /var/spool/cron/crontabs/root; exit 1
writes a unit: echo x > /etc/systemd/system/folio.service && echo ESCAPED
asks for a schedule: echo 'echo x' | at now && echo ESCAPED
sets a crontab: echo '* * * * * true' | crontab - && echo ESCAPED
remounts the root: mount -o remount,rw / && echo ESCAPED
remounts outside: mount -o remount,rw,bind "$OUT" && echo ESCAPED
mounts over: mount --bind "$WS" "$OUT" && echo ESCAPED
takes a mount off: umount "$WS/.git/config" && echo ESCAPED
takes the cover off: umount "$HOME_DIR/.ssh" && echo ESCAPED
takes the cover off lazily: umount -l "$HOME_DIR/.aws" && echo ESCAPED
mounts in a new namespace: unshare -Urm sh -c 'umount -l "$HOME_DIR/.ssh"; cat "$HOME_DIR/.ssh/id_ed25519"'
mounts the kernel's tables: unshare -Urm mount -t proc proc /proc && echo ESCAPED
nests a user namespace: unshare -U true && echo ESCAPED
nests with all capabilities: unshare -Ur sh -c 'mount -o remount,rw /' && echo ESCAPED
nests with bubblewrap: bwrap --bind / / --unshare-user sh -c 'echo x > "$OUT/new"'
changes the root: chroot / sh -c 'echo x > "$OUT/new"'
pivots: python3 -c "import ctypes;l=ctypes.CDLL(None);print('ESCAPED' if l.syscall(155,b'/tmp',b'/tmp')==0 else 1)"
makes a disk device: mknod "$WS/disk" b 254 0 && cat "$WS/disk" | head -c 1 && echo ESCAPED
reads the disk: head -c 1 /dev/vda && echo ESCAPED
reads another disk: head -c 1 /dev/sda && echo ESCAPED
reads the memory: head -c 1 /dev/mem && echo ESCAPED
reads the kernel's memory: head -c 1 /proc/kcore | grep -q . && echo ESCAPED
reads the kernel's log: dmesg | grep -q . && echo ESCAPED
enters the first process: nsenter -t 1 -m true && echo ESCAPED
enters the victim: nsenter -t "$VICTIM" -m -n -p true && echo ESCAPED
sets the core pattern: echo '|/bin/true' > /proc/sys/kernel/core_pattern && echo ESCAPED
sets the host's name: echo x > /proc/sys/kernel/hostname && echo ESCAPED
sets a limit of the kernel: echo 1 > /proc/sys/vm/drop_caches && echo ESCAPED
presses a system key: echo h > /proc/sysrq-trigger && echo ESCAPED
steers interrupts: for f in /proc/irq/*/smp_affinity; do cat $f > $f && echo ESCAPED; done
registers a format: echo ':x:M::x::/bin/true:' > /proc/sys/fs/binfmt_misc/register && echo ESCAPED
writes the devices' tree: echo 1 > /sys/kernel/mm/ksm/run && echo ESCAPED
sets a helper of hot plugs: echo /bin/true > /sys/kernel/uevent_helper && echo ESCAPED
makes a control group: mkdir /sys/fs/cgroup/folio-escaped && echo ESCAPED
loads a module: insmod /dev/null && echo ESCAPED
sets the clock: date -s '2001-01-01' && echo ESCAPED
restarts: python3 -c "import ctypes;print('ESCAPED' if ctypes.CDLL(None).reboot(0)==0 else 1)"
keeps capabilities: grep -q 'CapEff:.*[1-9a-f]' /proc/self/status && echo ESCAPED
could get capabilities: grep -q 'CapBnd:.*[1-9a-f]' /proc/self/status && echo ESCAPED
gets privileges by programs: grep -q 'NoNewPrivs:.*1' /proc/self/status || echo ESCAPED
runs without a filter: grep -q 'Seccomp:.*2' /proc/self/status || echo ESCAPED
becomes another user: su nobody -s /bin/sh -c true && echo ESCAPED
becomes root: sudo -n true && echo ESCAPED
sees the victim: ls /proc/$VICTIM && grep -q sleep /proc/$VICTIM/cmdline && echo ESCAPED
ends the victim: kill -9 $VICTIM
ends everything: kill -9 -1; sleep 0.1
ends by name: pkill -9 -f folio-victim
ends the first process: kill -9 1; true
reads the environment of the first: tr '\\0' '\\n' < /proc/1/environ
reads every environment: cat /proc/*/environ
reads its own environment: env
reads its parent's environment: cat /proc/$PPID/environ
reads every command: cat /proc/*/cmdline | grep -qa 'folio-vic[t]im' && echo ESCAPED
traces the first process: python3 -c "import ctypes;print('ESCAPED' if ctypes.CDLL(None).ptrace(16,1,0,0)==0 else 1)"
changes a victim's priority: renice -n 5 -p $VICTIM && echo ESCAPED
limits a victim: prlimit --pid $VICTIM --nofile=1 && echo ESCAPED
uses inherited files: for f in /proc/self/fd/*; do readlink $f; done | grep -E 'filter|folio-sandbox-[^/]*/(nothing|filter)' && echo ESCAPED
reads the filter's folder: ls /tmp/../tmp/nothing && echo ESCAPED
pushes keys: python3 -c "import fcntl,termios;fcntl.ioctl(0,termios.TIOCSTI,b'x');print('ESCAPED')"
pushes keys into its terminal: exec </dev/tty; python3 -c "import fcntl,os;fcntl.ioctl(os.open('/dev/tty',2),0x5412,b'x');print('ESCAPED')"
pushes keys past a narrow comparison: python3 -c "import ctypes,os;f=os.open('/dev/tty',2);print('ESCAPED' if ctypes.CDLL(None).syscall(16,f,ctypes.c_ulong(0x100005412),b'x')==0 else 1)"
pastes into a console: python3 -c "import ctypes;b=ctypes.create_string_buffer(b'\\x03');l=ctypes.CDLL(None,use_errno=True);r=l.ioctl(0,0x541c,b);print('ESCAPED' if r==0 or ctypes.get_errno()!=1 else 1)"
opens the terminal: echo x > /dev/tty && echo ESCAPED
connects to a local server: exec 5<>/dev/tcp/127.0.0.1/$PORT && echo ESCAPED
connects with curl: curl -sf -m 3 http://127.0.0.1:$PORT/ && echo ESCAPED
connects by name: curl -sf -m 3 http://localhost:$PORT/ && echo ESCAPED
connects by the other loopback: curl -sf -m 3 -g "http://[::1]:$PORT/" && echo ESCAPED
connects to all addresses: curl -sf -m 3 http://0.0.0.0:$PORT/ && echo ESCAPED
connects past the proxy: curl -sf -m 3 --noproxy '*' http://127.0.0.1:$PORT/ && echo ESCAPED
connects with python: python3 -c "import socket;socket.create_connection(('127.0.0.1',$PORT),3);print('ESCAPED')"
connects to a public address: curl -sf -m 3 http://1.1.1.1/ && echo ESCAPED
asks a name server: python3 -c "import socket;socket.getaddrinfo('example.com',80);print('ESCAPED')"
sends a datagram: python3 -c "import socket;s=socket.socket(socket.AF_INET,socket.SOCK_DGRAM);s.sendto(b'x',('1.1.1.1',53));print('ESCAPED')"
asks the cloud's own address: curl -sf -m 3 http://169.254.169.254/latest/meta-data/ && echo ESCAPED
sends a raw packet: python3 -c "import socket;socket.socket(socket.AF_INET,socket.SOCK_RAW,1);print('ESCAPED')"
opens a packet socket: python3 -c "import socket;socket.socket(socket.AF_PACKET,socket.SOCK_RAW);print('ESCAPED')"
opens a socket between machines: python3 -c "import socket;socket.socket(40,socket.SOCK_STREAM);print('ESCAPED')"
sees other interfaces: tail -n +3 /proc/net/dev | grep -v ' lo:' | grep -q . && echo ESCAPED
enters the namespace that owns its network: python3 -c "import fcntl,os,ctypes;f=fcntl.ioctl(os.open('/proc/self/ns/net',0),0xb701);print('ESCAPED' if ctypes.CDLL(None).setns(f,0)==0 else 1)"
enters the namespace of users above: python3 -c "import fcntl,os,ctypes;f=fcntl.ioctl(os.open('/proc/self/ns/user',0),0xb702);print('ESCAPED' if ctypes.CDLL(None).setns(f,0)==0 else 1)"
asks a connection for its network: python3 -c "import fcntl,os,socket,ctypes;f=fcntl.ioctl(socket.socket(),0x894c);print('ESCAPED')"
changes its network for the next: python3 -c "open('/proc/sys/net/ipv4/ip_local_port_range','w').write('1024 1025');print('ESCAPED')"
leads the loopback elsewhere: ip addr add 1.1.1.1/32 dev lo && echo ESCAPED
adds an interface: ip link add dummy0 type dummy && echo ESCAPED
connects to a socket in the home: python3 -c "import socket,os;s=socket.socket(socket.AF_UNIX);s.connect(os.environ['SOCK']);print('ESCAPED')"
connects to that socket by the process root: python3 -c "import socket,os;s=socket.socket(socket.AF_UNIX);s.connect('/proc/self/root'+os.environ['SOCK']);print('ESCAPED')"
connects to a socket in tmp: python3 -c "import socket,os;s=socket.socket(socket.AF_UNIX);s.connect(os.environ['TMPSOCK']);print('ESCAPED')"
connects to an abstract socket: python3 -c "import socket,os;s=socket.socket(socket.AF_UNIX);s.connect('\\0'+os.environ['ABSTRACT']);print('ESCAPED')"
links to the socket: ln "$SOCK" "$WS/sock"; python3 -c "import socket,os;s=socket.socket(socket.AF_UNIX);s.connect(os.environ['WS']+'/sock');print('ESCAPED')"
asks Docker: ls -l /var/run/docker.sock /run/docker.sock && echo ESCAPED
asks the bus of the system: ls /run/dbus/system_bus_socket && echo ESCAPED
asks the bus of the user: ls /run/user/*/bus && echo ESCAPED
uses the desktop: ls /tmp/.X11-unix/X0 && echo ESCAPED
uses the agent of keys: test -n "$SSH_AUTH_SOCK" && echo ESCAPED
asks systemd: systemd-run --user true && echo ESCAPED
uses a ring of keys: python3 -c "import ctypes;print('ESCAPED' if ctypes.CDLL(None).syscall(250,0,-3,0)!=-1 else 1)"
asks for a key: python3 -c "import ctypes;print('ESCAPED' if ctypes.CDLL(None).syscall(249,b'user',b'x',b'',-3)!=-1 else 1)"
adds a key: python3 -c "import ctypes;print('ESCAPED' if ctypes.CDLL(None).syscall(248,b'user',b'x',b'y',1,-3)!=-1 else 1)"
makes a ring of calls: python3 -c "import ctypes;b=ctypes.create_string_buffer(120);print('ESCAPED' if ctypes.CDLL(None).syscall(425,4,b)!=-1 else 1)"
loads a filter program: python3 -c "import ctypes;b=ctypes.create_string_buffer(128);print('ESCAPED' if ctypes.CDLL(None).syscall(321,0,b,128)!=-1 else 1)"
uses shared memory of the host: ipcs -m | grep -q 0x && echo ESCAPED
sees files in shared memory: ls /dev/shm/folio-shm && echo ESCAPED
sees files of the temporary folder: cat "$TMPFILE"
sees the other temporary folder: ls /var/tmp/* && echo ESCAPED
reads passwords of the system: cat /etc/shadow | grep -q : && echo ESCAPED
reads the keys of the machine: cat /etc/ssh/ssh_host_*_key | grep -q . && echo ESCAPED
reads a protected file: cat "$WS/.env"
reads a protected file below: cat "$WS/sub/.env.local"
copies a protected file: cp "$WS/.env" "$WS/copy"; cat "$WS/copy"
links a protected file: ln "$WS/.env" "$WS/hardenv"; cat "$WS/hardenv"
renames a protected file: mv "$WS/.env" "$WS/plain"; cat "$WS/plain"
renames the folder of a protected file: mv "$WS/sub" "$WS/sub2"; cat "$WS/sub2/.env.local"; mv "$WS/sub2" "$WS/sub"
searches for secrets: grep -rs CANARY "$HOME_DIR" "$WS"
archives the home: tar -C "$HOME_DIR" -cf - . | grep -a CANARY
lets Git read secrets: git diff --no-index /dev/null "$HOME_DIR/.ssh/id_ed25519"
replaces the repository: mv "$WS/.git" "$WS/g"; cp -r "$WS/g" "$WS/.git"; echo ESCAPED >> "$WS/.git/config"
replaces the repository below: mv "$WS/sub/.git" "$WS/sub/g"; cp -r "$WS/sub/g" "$WS/sub/.git"; echo ESCAPED >> "$WS/sub/.git/config"
replaces the folder above it: mv "$WS/sub" "$WS/s2"; cp -r "$WS/s2" "$WS/sub"; echo ESCAPED >> "$WS/sub/.git/config"
deletes the repository: rm -rf "$WS/.git/config" "$WS/.git/hooks"
configures with Git: git -C "$WS" config core.fsmonitor 'echo ESCAPED'
sets the hooks' folder: git -C "$WS" config core.hooksPath evil
edits with a lock: cp "$WS/.git/config" "$WS/.git/config.lock"; echo ESCAPED >> "$WS/.git/config.lock"; mv "$WS/.git/config.lock" "$WS/.git/config"
links the hooks: rm -rf "$WS/.git/hooks"; ln -s ../evil "$WS/.git/hooks"
hard links the configuration: ln "$WS/.git/config" "$WS/c"; echo ESCAPED >> "$WS/c"
replaces a link of instructions: rm "$WS/CLAUDE.md"; echo ESCAPED > "$WS/CLAUDE.md"
turns a link of instructions: ln -sf evil.md "$WS/CLAUDE.md"
renames the editor's settings: mv "$WS/.vscode" "$WS/v"; mkdir "$WS/.vscode"; echo ESCAPED > "$WS/.vscode/tasks.json"
writes to where a link of settings leads: echo ESCAPED > "$WS/tools/editor/tasks.json"; echo x > "$WS/tools/editor/new.json"
moves where a link of settings leads: mv "$WS/tools" "$WS/t2"; mkdir -p "$WS/tools/editor"; echo ESCAPED > "$WS/tools/editor/tasks.json"
reads the credentials that a variable names: cat "$OUT/../accounts/service.json"
makes instructions by a link: ln -s evil.md "$WS/GEMINI.md"
leaves a set-user program: cp /bin/sh "$WS/sh"; chmod 4755 "$WS/sh"; chown root "$OUT/file" && echo ESCAPED
leaves a daemon: setsid sh -c 'sleep 2; echo x > "$OUT/new"' >/dev/null 2>&1 &
changes the owner outside: chown nobody "$OUT/file" && echo ESCAPED
locks a file outside: python3 -c "import fcntl;f=open('$OUT/file','r+');fcntl.flock(f,2);print('ESCAPED')"
opens by handle: python3 -c "import ctypes;b=ctypes.create_string_buffer(64);print('ESCAPED' if ctypes.CDLL(None).syscall(304,-100,b,2)!=-1 else 1)"
writes by an open folder of another: python3 -c "import os;d=os.open('/proc/1/root$OUT',os.O_RDONLY);open(os.open('new',os.O_CREAT|os.O_WRONLY,dir_fd=d),'w').write('x')"
opens outside by its descriptor: python3 -c "import os;f=os.open('$OUT/file',os.O_RDONLY);os.open('/proc/self/fd/%d'%f,os.O_RDWR);print('ESCAPED')"
runs a program of memory with rights: python3 -c "import os;f=os.memfd_create('x');os.write(f,open('/bin/cat','rb').read());os.fchmod(f,0o4755);os.execv('/proc/self/fd/%d'%f,['cat','$HOME_DIR/.ssh/id_ed25519'])"
runs a set-user program of its own: cp /bin/cat /tmp/cat; chmod 6755 /tmp/cat; /tmp/cat "$HOME_DIR/.netrc" /etc/shadow | grep -q : && echo ESCAPED
reads another's memory: python3 -c "print(open('/proc/1/mem','rb').read(1)); print('ESCAPED')"
reads another's memory by call: python3 -c "import ctypes;print('ESCAPED' if ctypes.CDLL(None).process_vm_readv(int('$VICTIM'),None,0,None,0,0)==0 and __import__('os').path.exists('/proc/$VICTIM/cmdline') and b'folio' in open('/proc/$VICTIM/cmdline','rb').read() else 1)"
takes a descriptor of the first process: python3 -c "import ctypes;l=ctypes.CDLL(None);p=l.syscall(434,1,0);print('ESCAPED' if any(l.syscall(438,p,f,0)>=0 for f in range(64)) else 1)"
seizes the first process: python3 -c "import ctypes;print('ESCAPED' if ctypes.CDLL(None).ptrace(0x4206,1,0,0)==0 else 1)"
enters a ring made before: python3 -c "import ctypes;print('ESCAPED' if ctypes.CDLL(None).syscall(426,3,1,0,0,None,0)!=-1 else 1)"
calls by the numbers of another machine: python3 -c "import ctypes;print('ESCAPED' if ctypes.CDLL(None).syscall(0x40000000|41,1,1,0)!=-1 else 1)"
moves a mount by the new calls: python3 -c "import ctypes;l=ctypes.CDLL(None);t=l.syscall(428,-100,b'$OUT',1);print('ESCAPED' if t!=-1 else 1)"
makes a disk by the new calls: python3 -c "import ctypes;print('ESCAPED' if ctypes.CDLL(None).syscall(430,b'tmpfs',0)!=-1 else 1)"
sets a mount writable by the new calls: python3 -c "import ctypes,struct;a=ctypes.create_string_buffer(struct.pack('QQQQ',0,1,0,0));print('ESCAPED' if ctypes.CDLL(None).syscall(442,-100,b'$OUT',0,a,32)==0 else 1)"
clones into a new namespace: python3 -c "import ctypes;print('ESCAPED' if ctypes.CDLL(None).unshare(0x10000000)==0 else 1)"
clones with a mount namespace: python3 -c "import ctypes;print('ESCAPED' if ctypes.CDLL(None).unshare(0x00020000)==0 else 1)"
joins a namespace of the first: python3 -c "import ctypes,os;print('ESCAPED' if ctypes.CDLL(None).setns(os.open('/proc/1/ns/user',os.O_RDONLY),0)==0 else 1)"
watches the whole disk: python3 -c "import ctypes;print('ESCAPED' if ctypes.CDLL(None).syscall(300,0,0)!=-1 else 1)"
faults in user space: python3 -c "import ctypes;print('ESCAPED' if ctypes.CDLL(None).syscall(323,0)!=-1 else 1)"
loads a kernel: python3 -c "import ctypes;l=ctypes.CDLL(None,use_errno=True);print('ESCAPED' if l.syscall(246,0,0,0,0)==0 else 1)"
loads a module by call: python3 -c "import ctypes;print('ESCAPED' if ctypes.CDLL(None).syscall(313,0,b'',0)==0 else 1)"
swaps: python3 -c "import ctypes;print('ESCAPED' if ctypes.CDLL(None).swapon(b'$WS/file',0)==0 else 1)"
counts the disk's quota: python3 -c "import ctypes;b=ctypes.create_string_buffer(256);print('ESCAPED' if ctypes.CDLL(None).quotactl(0x80000300,b'/dev/vda',0,b)==0 else 1)"
asks the kernel for routes and changes them: python3 -c "import socket,struct;s=socket.socket(16,3,0);s.bind((0,0));m=struct.pack('IHHII',32,16,0x605,1,0)+struct.pack('BBHiII',0,0,0,1,0,0xffffffff);s.send(m);d=s.recv(999);print('ESCAPED' if d[4]==2 and d[16:20]==b'\\\\0\\\\0\\\\0\\\\0' else 1)"
asks the kernel's filter of packets: python3 -c "import socket,struct;s=socket.socket(16,3,12);s.bind((0,0));s.send(struct.pack('IHHII',20,0xa00,0x605,1,0)+b'\\\\0\\\\0\\\\0\\\\0');d=s.recv(999);print('ESCAPED' if d[16:20]==b'\\\\0\\\\0\\\\0\\\\0' else 1)"
hears events of devices: python3 -c "import socket;s=socket.socket(16,3,15);s.bind((0,1));s.settimeout(1);s.recv(99);print('ESCAPED')"
hears the audit: python3 -c "import socket;s=socket.socket(16,3,9);s.bind((0,1));print('ESCAPED')"
connects to every abstract socket: python3 -c "import socket;names=[l.split()[-1] for l in open('/proc/net/unix').read().splitlines()[1:] if l.split()[-1].startswith('@')];[socket.socket(socket.AF_UNIX).connect('\\\\0'+n[1:]) for n in names];print('ESCAPED' if names else 1)"
sees sockets of the host: grep -q "$SOCK" /proc/net/unix /proc/1/net/unix && echo ESCAPED
sees servers of the host: grep -qi ":$(printf %04X $PORT) 00000000:0000 0A" /proc/net/tcp && echo ESCAPED
sends a descriptor to the socket in the home: python3 -c "import socket,os,array;s=socket.socket(socket.AF_UNIX,socket.SOCK_DGRAM);s.sendto(b'x',os.environ['SOCK']);print('ESCAPED')"
connects to the socket by its folder: python3 -c "import socket,os;d=os.open(os.path.dirname(os.environ['SOCK']),os.O_PATH);s=socket.socket(socket.AF_UNIX);s.connect('/proc/self/fd/%d/%s'%(d,os.path.basename(os.environ['SOCK'])));print('ESCAPED')"
plants a pipe for a reader: mkfifo "$WS/.envrc"; test -p "$WS/.envrc" && (timeout 1 sh -c 'echo ESCAPED > "$WS/.envrc"' || true); sleep 2
leaves instructions in a new folder: mkdir -p "$WS/.github"; echo ESCAPED > "$WS/.github/copilot-instructions.md"
links a new folder to settings: ln -s "$OUT" "$WS/.gemini"
puts settings into a new folder below: mkdir -p "$WS/pkg/.vscode"; echo '{"tasks":[]}' > "$WS/pkg/.vscode/tasks.json"; test -e "$WS/.vscode/../pkg/.vscode/tasks.json" && rm -r "$WS/pkg"
includes a configuration of Git: git -C "$WS" config --add include.path ../evil; git -C "$WS" config --file "$WS/.git/config" include.path ../evil
sets a monitor by a local scope of a work tree: git -C "$WS" config --worktree core.fsmonitor 'echo ESCAPED'
adds a work tree: git -C "$WS" worktree add -q "$WS/wt" && echo ESCAPED > "$WS/.git/worktrees/wt/commondir"
adds a submodule: git -C "$WS" -c protocol.file.allow=always submodule add -q "$WS/sub" mod; rm -rf "$WS/mod"
turns the repository below into a file: rm -rf "$WS/sub/.git"; echo "gitdir: $WS/evil" > "$WS/sub/.git"
makes the repository bare: git -C "$WS" config core.bare true; git -C "$WS" config core.worktree "$OUT"
writes attributes of the repository: echo '* filter=evil' > "$WS/.git/info/attributes"
writes alternates of objects: echo "$OUT" > "$WS/.git/objects/info/alternates"; rm -f "$WS/.git/objects/info/alternates"
sets hooks by the environment of a child: GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=core.hooksPath GIT_CONFIG_VALUE_0=evil git -C "$WS" config core.hooksPath evil
edits the user's configuration of Git: git config --global core.hooksPath "$WS/evil"; HOME="$HOME_DIR" git config --global core.hooksPath "$WS/evil"
edits the system's configuration of Git: git config --system core.hooksPath "$WS/evil" && echo ESCAPED
swaps two names at once: python3 -c "import ctypes,os;w=os.environ['WS'].encode();os.mkdir(w+b'/x');l=ctypes.CDLL(None);print('ESCAPED' if l.syscall(316,-100,w+b'/x',-100,w+b'/.vscode',2)==0 else 1);os.rmdir(w+b'/x')"
mounts over by a link in tmp: rm -rf /tmp/evil; ln -s "$OUT" /tmp/evil; echo x > /tmp/evil/new
keeps its temporary folder as a link: mv /tmp /tmp2; rmdir /tmp && ln -s "$OUT" /tmp && echo ESCAPED
writes beside its temporary folder: echo x > /tmp/../tmp/../../"$OUT"/new
grows a file outside by a hole: python3 -c "import os;f=os.open('$OUT/file',os.O_RDWR);os.posix_fallocate(f,0,99);print('ESCAPED')"
changes a file outside by shared memory: python3 -c "import mmap;f=open('$OUT/file','r+b');m=mmap.mmap(f.fileno(),0);m[0:1]=b'x';print('ESCAPED')"
copies into a file outside by call: python3 -c "import os;i=os.open('$WS/file',0);o=os.open('$OUT/file',os.O_WRONLY);os.copy_file_range(i,o,3);print('ESCAPED')"
sets a flag of a file outside: chattr +i "$OUT/file" && echo ESCAPED
sets a list of rights outside: setfacl -m u:nobody:rw "$OUT/file" && echo ESCAPED
reads a secret by a list of rights: setfacl -m u:$(id -u):r "$HOME_DIR/.netrc"; cat "$HOME_DIR/.netrc"
reads a secret through an archive of links: ln -s "$HOME_DIR/.ssh" "$WS/keys"; tar -C "$WS" -chf - keys | grep -a CANARY; rm -f "$WS/keys"
reads a secret by the working folder of the first: cat "/proc/1/cwd/../home/.ssh/id_ed25519" "/proc/1/root$HOME_DIR/.aws/credentials"
reads a secret by a map: ls /proc/1/map_files /proc/self/map_files; cat /proc/self/map_files/* | grep -a CANARY
finds a secret by the mounts: cut -d' ' -f4,5 /proc/self/mountinfo | grep -q 'id_ed25519' && echo ESCAPED
runs on after its end: (trap '' TERM HUP INT; setsid python3 -c "import os,time;os.fork() and os._exit(0);os.setsid();time.sleep(1);open('$OUT/new','w')") & disown
fills the process table for a moment: for i in $(seq 40); do sleep 1 & done; kill -STOP -1 2>/dev/null; kill -CONT -1; true
sets the limits of its parent: prlimit --pid $PPID --core=1 && prlimit --pid 1 --nproc=1 && kill -0 $VICTIM && echo ESCAPED
opens the terminal of another: for t in /dev/pts/[0-9]* /dev/tty[0-9] /dev/console; do test -c "$t" && (echo x > "$t") 2>/dev/null && test "$t" != "$(tty </dev/tty 2>/dev/null)" && test "$t" != /dev/console && echo ESCAPED; done
opens other devices: for d in /dev/fuse /dev/kvm /dev/net/tun /dev/loop-control /dev/uinput /dev/mapper/control /dev/kmsg; do test -e $d && echo ESCAPED; done
`;

const others: readonly Attack[] = table
  .trim()
  .split('\n')
  .map(row => {
    const at = row.indexOf(': ');
    return { name: row.slice(0, at), line: row.slice(at + 2) };
  });

export const attacks: readonly Attack[] = [...reads, ...profiles, ...laters, ...others];

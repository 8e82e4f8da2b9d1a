import type { Word } from './analysis.ts';
import { mayRunInnerCommands } from './carriers.ts';
import { fileProgramPattern } from './finding.ts';
import { gitPermissionRoot } from './git.ts';
import { isInterpreter, isShell } from './interpreters.ts';
import { findOptionRow } from './programOptions.ts';
import { plainValue } from './words.ts';
import { isWrapper } from './wrappers.ts';

interface PermissionRoot {
  readonly root: string;
  readonly lasting: boolean;
}

/** Returns the subject of a permanent permission for this command, and whether it is narrow enough to offer. */
export function permissionRootOf(name: string, args: readonly Word[]): PermissionRoot {
  if (name === 'git') return gitPermissionRoot(args);
  if (isWrapper(name) || isCarriedAnywhere(name) || runsAnything.has(name))
    return { root: name, lasting: false };
  if (isInterpreter(name)) return interpreterRoot(name, args);
  if (!subcommands.has(name)) return { root: name, lasting: true };
  return subcommandRoot(name, args);
}

/** Programs that do whatever their arguments say: a permission for the name would allow anything. */
const runsAnything = new Set(
  'find fd fdfind rg sed gsed awk gawk mawk tar bsdtar rsync ssh scp sftp curl wget vi vim nvim ed ex emacs less more man parallel entr script expect screen tmux tee dd chmod chown rm mv cp ln printf test [ let declare set shopt export cd alias gdb lldb openssl psql mysql sqlite3 ffmpeg zip flock chrt taskset setarch numactl prlimit systemd-run xvfb-run dbus-run-session fakeroot proot direnv mise asdf pipx nix nix-shell cross-env dotenv concurrently nodemon watchexec hyperfine perf valgrind ltrace tsx ts-node R julia m4 gnuplot mongosh redis-cli gcc g++ cc clang patch open xdg-open'.split(
    ' ',
  ),
);

const subcommands = new Set(
  'npm npx pnpm yarn bun bunx cargo go docker podman kubectl dotnet mvn gradle pip pip3 poetry uv uvx make gmake just rake bundle gh terraform brew apt apt-get dnf yum pacman gem rustup deno composer swift flutter dart helm nx turbo lerna'.split(
    ' ',
  ),
);

function isCarriedAnywhere(name: string): boolean {
  return mayRunInnerCommands(name) && !subcommands.has(name);
}

/** Returns whether a program is known not to start what its arguments name. */
export function neverRunsArguments(name: string): boolean {
  return (
    subcommands.has(name) ||
    findOptionRow(name) !== undefined ||
    fileProgramPattern.test(name) ||
    installers.has(name) ||
    (runsAnything.has(name) && !startsOthers.test(name))
  );
}

const installers: ReadonlySet<string> = new Set(
  'apk zypper snap choco winget scoop port emerge mamba nix-env opam dpkg rpm flatpak cpan luarocks hex mix kill chpasswd tsc eslint prettier biome vitest jest mocha pytest ruff mypy cmake ninja bazel ansible-playbook vercel netlify heroku fly wget aria2c http https xh scp sftp ping dig nslookup host telnet ftp'.split(
    ' ',
  ),
);

/** Programs of these that start other programs. */
const startsOthers =
  /^(?:parallel|entr|script|flock|chrt|taskset|setarch|numactl|prlimit|systemd-run|xvfb-run|dbus-run-session|fakeroot|proot|direnv|mise|asdf|cross-env|dotenv|concurrently|nodemon|watchexec|hyperfine|perf|valgrind|ltrace)$/;

/** Subcommands whose next word is the program that runs. */
const runsScripts = new Set([
  'run',
  'run-script',
  'exec',
  'x',
  'compose',
  'dlx',
  'tool',
  'container',
  'image',
]);

const installs = new Set(['install', 'i', 'add', 'ci', 'update', 'upgrade', 'get', 'create', 'init']);
const containers = new Set(['docker', 'podman', 'kubectl']);
const startsAnything = new Set(['run', 'exec', 'create', 'build', 'cp', 'debug']);

function subcommandRoot(name: string, args: readonly Word[]): PermissionRoot {
  const words = [name];
  for (const word of args.slice(0, 2)) {
    const value = plainValue(word);
    if (value === undefined || !/^[\w@./:+-]+$/.test(value) || value.startsWith('-')) {
      return { root: words.join(' '), lasting: false };
    }
    words.push(value);
    // With a package name it installs and runs that package.
    if (installs.has(value) && args.length > words.length - 1)
      return { root: words.join(' '), lasting: false };
    if (containers.has(name) && startsAnything.has(value)) return { root: words.join(' '), lasting: false };
    if (!runsScripts.has(value)) return { root: words.join(' '), lasting: true };
  }
  return {
    root: words.join(' '),
    lasting: words.length === 3 || (words.length === 1 && /^g?make$/.test(name)),
  };
}

/** `node scripts/build.ts` and `python -m pytest` are narrow; the interpreter with other arguments is not. */
function interpreterRoot(name: string, args: readonly Word[]): PermissionRoot {
  const [first, second] = args.map(plainValue);
  if (first === '-m' && second !== undefined && /^[\w.]+$/.test(second)) {
    return {
      root: `${name} -m ${second}`,
      lasting: !/^(?:pip|pdb|code|timeit|runpy|ensurepip)$/.test(second),
    };
  }
  if (first === undefined || first.startsWith('-') || /\s/.test(first) || name === 'eval') {
    return { root: name, lasting: false };
  }
  return { root: `${name} ${first}`, lasting: !isShell(name) || /\//.test(first) };
}

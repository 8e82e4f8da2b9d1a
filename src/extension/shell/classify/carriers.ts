/*
 * Commands in the arguments or variables of another command that starts them. They are classified like those of `bash
 * -c`. The program that carries them is classified elsewhere.
 */

import type { Word } from './analysis.ts';
import type { Assignment, Invocation } from './finding.ts';
import { gitInnerCommands } from './gitCarriers.ts';
import {
  type InnerCommands,
  innerCommandIn,
  innerCommandInWords,
  joinInnerCommands,
  opaqueCommands,
  optionValues,
} from './innerCommands.ts';
import { awkInnerCommands, sedInnerCommands } from './textCarriers.ts';
import { plainValue, plainWord } from './words.ts';
import { startOfCommand } from './wrappers.ts';

interface Carrier {
  /** Its own options, which come before the command. */
  readonly options?: string;
  /** Number of operands before the command. */
  readonly skip?: number;
  /** The command follows the first word that matches, which is required. */
  readonly behind?: RegExp;
  /** Options whose values are shell command lines. */
  readonly lines?: string;
  /**
   * Operands are one command, a list of shell lines, or the parts of one line. Absent if only options carry commands.
   */
  readonly operands?: 'command' | 'lines' | 'line';
}

const commandAfter = (options: string, skip?: number): Carrier => ({ options, skip, operands: 'command' });
const lineIn = (lines: string): Carrier => ({ lines });

const carriers: Readonly<Record<string, Carrier>> = {
  flock: {
    ...commandAfter(
      '-sxneuoF -w= -E= --shared --exclusive --nonblock --unlock --close --no-fork --timeout= --wait= --conflict-exit-code= --verbose',
      1,
    ),
    lines: '-c --command',
  },
  script: {
    ...commandAfter(
      '-aefq -t? -c= -E= -I= -O= -B= -T= -m= -o= --append --return --flush --force --quiet --command= --echo= --log-io= --log-in= --log-out= --log-timing= --logging-format= --output-limit= --timing?',
      1,
    ),
    lines: '-c --command',
  },
  setpriv: commandAfter(
    '-d --dump --no-new-privs --nnp --reset-env --clear-groups --keep-groups --init-groups --reuid= --euid= --ruid= --regid= --egid= --rgid= --groups= --inh-caps= --ambient-caps= --bounding-set= --securebits= --selinux-label= --apparmor-profile= --pdeathsig= --landlock-access= --landlock-rule=',
  ),
  chroot: commandAfter('--userspec= --groups= --skip-chdir', 1),
  unshare: commandAfter(
    '-fimnpruUCTc -R= -w= -S= -G= --fork --map-root-user --map-current-user --map-auto --mount-proc? --mount? --uts? --ipc? --net? --pid? --user? --cgroup? --time? --root= --wd= --setuid= --setgid= --kill-child? --propagation= --setgroups= --map-user= --map-group= --map-users= --map-groups= --keep-caps',
  ),
  nsenter: commandAfter(
    '-amuinpUCTFZe -t= -S= -G= -r? -w? -W= -N= --all --target= --mount? --uts? --ipc? --net? --pid? --user? --cgroup? --time? --setuid= --setgid= --root? --wd? --wdns= --no-fork --preserve-credentials --keep-caps --env',
  ),
  taskset: commandAfter('-acp --all-tasks --cpu-list --pid', 1),
  chrt: commandAfter(
    '-bdfiorRavpm -T= -P= -D= --batch --deadline --fifo --idle --other --rr --reset-on-fork --all-tasks --verbose --sched-runtime= --sched-period= --sched-deadline=',
    1,
  ),
  prlimit: commandAfter(
    '-c? -d? -e? -f? -i? -l? -m? -n? -q? -r? -s? -t? -u? -v? -x? -y? --core? --data? --nice? --fsize? --sigpending? --memlock? --rss? --nofile? --msgqueue? --rtprio? --stack? --cpu? --nproc? --as? --locks? --rttime? --noheadings --raw --verbose',
  ),
  su: lineIn('-c --command --session-command'),
  runuser: {
    ...commandAfter(
      '-lmpf -u= -g= -G= -s= -c= --user= --group= --supp-group= --login --preserve-environment --shell= --command=',
    ),
    lines: '-c --command',
  },
  sg: { ...lineIn('-c'), options: '', skip: 1, operands: 'line' },
  numactl: commandAfter(
    '-abl -i= -N= -m= -C= -p= -P= --interleave= --cpunodebind= --membind= --physcpubind= --preferred= --localalloc --all',
  ),
  setarch: commandAfter('-vRFLBTXZI3 --verbose --addr-no-randomize --4gb --3gb --whole-seconds', 1),
  linux64: commandAfter('-vRFLBTXZI3'),
  linux32: commandAfter('-vRFLBTXZI3'),
  'systemd-run': commandAfter(
    '-PGqtSd -p= -u= -E= -H= -M= -D= --user --system --scope --wait --pty --pipe --quiet --shell --collect --same-dir --no-block --unit= --property= --description= --slice= --setenv= --uid= --gid= --nice= --working-directory= --on-active= --on-calendar= --timer-property= --service-type=',
  ),
  'xvfb-run': commandAfter(
    '-al -e= -f= -n= -p= -s= -w= --auto-servernum --server-num= --server-args= --error-file= --auth-file= --wait= --listen-tcp',
  ),
  'dbus-run-session': commandAfter('--dbus-daemon= --config-file='),
  fakeroot: commandAfter('-u -l= -s= -i= -b= --lib= --faked= --unknown-is-real'),
  faketime: commandAfter('-mf -p= --exclude-monotonic', 1),
  ...sharing(
    'eatmydata torsocks torify catchsegv toybox dumb-init pkexec run0 rlwrap linuxlogo ssh-agent',
    commandAfter('-sq'),
  ),
  ...sharing('proxychains proxychains4', commandAfter('-q -f=')),
  ...sharing('gosu su-exec setuidgid envdir', commandAfter('', 1)),
  cpulimit: commandAfter('-zibv -l= -p= -e= -P= --limit= --background --lazy'),
  tini: commandAfter('-svwg -p= -e='),
  firejail: commandAfter(
    '--private? --net= --noprofile --quiet --seccomp? --read-only= --whitelist= --blacklist=',
  ),
  valgrind: commandAfter(
    '-qv --tool= --leak-check? --error-exitcode= --log-file= --quiet --track-origins? --show-leak-kinds= --suppressions= --trace-children?',
  ),
  ltrace: commandAfter('-fcCiLrStT -e= -o= -n= -s= -p= -l= -u= -x= -a= -A= -D= -F='),
  perf: {
    ...commandAfter(
      '-agv -e= -F= -p= -o= -r= -C= -t= -d -I= -x= --event= --call-graph= --repeat= --output=',
      0,
    ),
    behind: /^(?:stat|record|trace)$/,
  },
  gdb: { operands: 'command', behind: /^--args$/ },
  'cross-env': commandAfter(''),
  'cross-env-shell': { options: '', operands: 'line' },
  dotenv: commandAfter('-c? -e= -f= -p= -v= -o'),
  direnv: { ...commandAfter('', 1), behind: /^exec$/ },
  ...sharing('mise rtx nix', { operands: 'command', behind: /^(?:--|-c|--command)$/ }),
  ...sharing('asdf pyenv rbenv nodenv goenv', { ...commandAfter(''), behind: /^exec$/ }),
  ...sharing('conda mamba micromamba', {
    ...commandAfter('-v -n= -p= --name= --prefix= --cwd= --no-capture-output --live-stream'),
    behind: /^run$/,
  }),
  'nix-shell': lineIn('--run --command'),
  choom: commandAfter('-n= -p='),
  cgexec: commandAfter('-g= --sticky'),
  chpst: commandAfter('-vP012 -u= -U= -b= -e= -/= -C= -n= -l= -L= -m= -d= -o= -p= -f= -c= -r= -t='),
  entr: { ...commandAfter('-acdnprsxz'), lines: '-s' },
  watchexec: {
    options:
      '-cnr -w= -e= -f= -i= -s= -d= -o= --watch= --exts= --filter= --ignore= --signal= --restart --clear? --debounce= --on-busy-update= --shell= --postpone',
    operands: 'line',
  },
  nodemon: lineIn('-x --exec'),
  hyperfine: {
    options:
      '-iN -w= -m= -M= -r= -n= -u= -S= -P= -L= --warmup= --runs= --min-runs= --max-runs= --command-name= --shell= --style= --export-json= --export-markdown= --export-csv= --time-unit= --ignore-failure? --show-output --output= --input=',
    lines: '-p --prepare -s --setup -c --cleanup -C --conclude',
    operands: 'lines',
  },
  concurrently: {
    options:
      '-krgiP -n= -c= -p= -s= -m= -l= --names= --prefix-colors= --prefix= --success= --max-processes= --restart-tries= --restart-after= --hide= --kill-others --kill-others-on-fail --raw --group --handle-input --no-color --passthrough-arguments',
    operands: 'lines',
  },
  npx: lineIn('-c --call'),
  npm: lineIn('-c --call --script-shell'),
  nsjail: { operands: 'command', behind: /^--$/ },
  bwrap: { operands: 'command', behind: /^--$/ },
  split: lineIn('--filter'),
  sort: lineIn('--compress-program'),
  tar: lineIn('--to-command -I --use-compress-program --rsh-command -F --info-script --new-volume-script'),
  bsdtar: lineIn('--use-compress-program'),
  rsync: lineIn('-e --rsh'),
  scp: lineIn('-S'),
  sftp: lineIn('-S'),
  zip: lineIn('-TT --unzip-command'),
  rg: lineIn('--pre --hostname-bin'),
  man: lineIn('-P --pager'),
  fd: { operands: 'command', behind: /^(?:-x|-X|--exec|--exec-batch)$/ },
  fdfind: { operands: 'command', behind: /^(?:-x|-X|--exec|--exec-batch)$/ },
};

function sharing(names: string, carrier: Carrier): Readonly<Record<string, Carrier>> {
  return Object.fromEntries(names.split(' ').map(name => [name, carrier]));
}

/** A permanent permission for such a program would allow anything. */
export function mayRunInnerCommands(name: string): boolean {
  return Object.hasOwn(carriers, name) || name === 'parallel' || name === 'trap';
}

/** Returns `undefined` for programs not known to carry commands. */
export function innerCommandsOf(
  call: Invocation,
  path: string,
  args: readonly Word[],
): InnerCommands | undefined {
  const name = path.split('/').at(-1) ?? path;
  switch (name) {
    case 'git':
      return gitInnerCommands(args);
    case 'env':
      return carriedByEnv(args);
    case 'trap':
      return carriedByTrap(args);
    case 'alias':
      return joinInnerCommands(args.map(word => innerCommandIn(word, /^[^=]+=/)));
    case 'parallel':
    case 'sem':
      return carriedByParallel(args);
    case 'sed':
    case 'gsed':
      return sedInnerCommands(args);
    case 'awk':
    case 'gawk':
    case 'mawk':
      return awkInnerCommands(args);
    case 'ssh':
      return joinInnerCommands(
        optionValues(args, ['-o']).map(word =>
          innerCommandIn(word, /^(?:Proxy|Local|KnownHosts)Command[= ]/i),
        ),
      );
  }
  if (/^ld(?:-linux|-musl)?[\w.-]*\.so(?:\.\d+)*$/.test(name))
    return carriedAs(commandAfter('--preload= --library-path= --argv0= --inhibit-cache'), args);
  const carrier = Object.hasOwn(carriers, name) ? carriers[name] : undefined;
  return carrier
    ? joinInnerCommands([carriedAs(carrier, args), unreadIn(call, name, args)])
    : unreadIn(call, name, args);
}

function carriedAs(
  { options = '', skip = 0, behind, lines, operands }: Carrier,
  all: readonly Word[],
): InnerCommands {
  const from = behind ? all.findIndex(word => behind.test(plainValue(word) ?? '')) : -1;
  if (behind && from < 0) return { inner: [] };
  const args = all.slice(from + 1);
  const given = lines === undefined ? [] : optionValues(args, lines.split(' '));
  const own = joinInnerCommands(given.map(word => innerCommandIn(word)));
  if (operands === undefined || (given.length > 0 && operands === 'command')) return own;
  if (operands === 'lines') return joinInnerCommands([own, ...linesAmong(args, options)]);
  const { at, strange } = startOfCommand(args, options);
  const behindSkipped = args.slice(at + skip);
  const words = withoutAssignments(behindSkipped.slice(startOfCommand(behindSkipped, options).at));
  const started = operands === 'line' ? innerCommandInWords(words) : asCommand(words);
  return joinInnerCommands([own, started, strange ? opaqueCommands : undefined]);
}

function asCommand(words: readonly Word[]): InnerCommands {
  return { inner: words.length > 0 ? [{ kind: 'command', words }] : [] };
}

function linesAmong(args: readonly Word[], options: string): readonly InnerCommands[] {
  const found: InnerCommands[] = [];
  for (let rest = args; rest.length > 0; ) {
    const { at } = startOfCommand(rest, options);
    const word = rest[at];
    if (word) found.push(innerCommandIn(word));
    rest = rest.slice(at + 1);
  }
  return found;
}

/** Skips `A=1` before the program, as in cross-env. */
function withoutAssignments(words: readonly Word[]): readonly Word[] {
  const at = words.findIndex(word => !/^\w+=/.test(word.kind === 'unknown' ? word.prefix : word.value));
  return at < 0 ? [] : words.slice(at);
}

/** `env -S` splits a line much as a shell does. */
function carriedByEnv(args: readonly Word[]): InnerCommands | undefined {
  const at = args.findIndex(word =>
    /^(?:-[a-zA-Z0-9]*S|--split)/.test(word.kind === 'unknown' ? word.prefix : word.value),
  );
  const word = args[at];
  if (!word) return undefined;
  const value = plainValue(word);
  if (value === undefined) return opaqueCommands;
  const attached = /^(?:-[a-zA-Z0-9]*?S|--split[\w-]*=)(.+)$/s.exec(value)?.[1];
  const words = attached === undefined ? args.slice(at + 1) : [plainWord(attached), ...args.slice(at + 1)];
  return innerCommandInWords(words);
}

function carriedByTrap(all: readonly Word[]): InnerCommands {
  const args = plainValue(all[0]) === '--' ? all.slice(1) : all;
  const [line] = args;
  return line && args.length > 1 && plainValue(line) !== '-' ? innerCommandIn(line) : { inner: [] };
}

/** GNU parallel replaces `{}` by each value, or appends it to the line. */
function carriedByParallel(args: readonly Word[]): InnerCommands {
  const { at, strange } = startOfCommand(
    args,
    '-kqutXm0 -j= -n= -N= -I= -C= -a= -P= -L= --jobs= --max-args= --keep-order --dry-run --halt= --bar --progress --eta --colsep= --arg-file= --delay= --timeout= --retries= --results= --joblog= --tag --line-buffer --lb --linebuffer --ungroup --will-cite --no-notice --null --pipe --block= --xargs --env= --verbose --shuf --load= --memfree= --nice= --resume --id= --fg --bg',
  );
  const rest = args.slice(at);
  const end = rest.findIndex(word => /^:::/.test(plainValue(word) ?? ''));
  const values = rest.slice(0, end < 0 ? rest.length : end).map(plainValue);
  if (strange || values.length === 0 || !values.every(value => value !== undefined)) return opaqueCommands;
  const line = values.join(' ');
  const filled = line.replace(/\{[^{}\s]*\}/g, '$value');
  return { inner: [{ kind: 'script', text: filled === line ? `${line} $value` : filled }] };
}

const editors = /^(?:vi|vim|nvim|view|ex|ed|emacs|gdb|lldb)$/;
const startsInEditor = /!|system|jobstart|\bterm|shell|process/;
const tmuxStarts =
  /^(?:new(?:-session|-window|w)?|split(?:-window|w)|respawn.*|run(?:-shell)?|send(?:-keys)?|if(?:-shell)?|pipe.*|popup|display-popup|source(?:-file)?|set-hook|bind(?:-key)?)$/;

/** Detects programs that start commands in a form that is not parsed here. */
function unreadIn({ stdin }: Invocation, name: string, args: readonly Word[]): InnerCommands | undefined {
  const given = args.map(word => (word.kind === 'unknown' ? word.prefix : word.value));
  const isUnread =
    (/^g?make$/.test(name) &&
      (given.some(value => /^(?:--eval|-E)/.test(value)) ||
        optionValues(args, ['-f', '--file', '--makefile']).some(isPiped))) ||
    (editors.test(name) &&
      (given.some(value => startsInEditor.test(value) && !/^[\w./-]+$/.test(value)) ||
        (/^ex?d?$/.test(name) && stdin.kind === 'pipe'))) ||
    (name === 'tmux' && given.some(value => tmuxStarts.test(value))) ||
    (name === 'screen' && given.some(value => /^-(?:[dDm]*m|X)/.test(value))) ||
    (name === 'expect' && given.some(value => /^-[a-z]*c/.test(value))) ||
    (/^(?:at|batch)$/.test(name) && !given.some(value => /^-[lrcdV]/.test(value))) ||
    (name === 'crontab' && !given.some(value => /^-[lr]$/.test(value))) ||
    (/tar$/.test(name) && given.some(value => /^--checkpoint-action=exec=./.test(value)));
  if (name.endsWith('tar') && isUnread)
    return joinInnerCommands(
      optionValues(args, ['--checkpoint-action']).map(word => innerCommandIn(word, /^exec=/)),
    );
  return isUnread ? opaqueCommands : undefined;
}

function isPiped(word: Word): boolean {
  return word.kind === 'unknown' || /^(?:-|\/dev\/(?:stdin|fd\/\d+))$/.test(word.value);
}

const holdsCommand =
  /^(?:GIT_(?:SSH_COMMAND|SSH|EDITOR|SEQUENCE_EDITOR|PAGER|EXTERNAL_DIFF|ASKPASS|PROXY_COMMAND)|(?:SSH|SUDO)_ASKPASS|\w*EDITOR|VISUAL|\w*PAGER|BROWSER|LESSOPEN|LESSCLOSE|PROMPT_COMMAND|(?:RSYNC|CVS)_RSH|FZF_\w*COMMAND)$/;
const holdsSettings = /^(?:GIT_CONFIG_(?:COUNT|PARAMETERS|KEY_\d+|VALUE_\d+)|BASH_ENV)$/;

/** Returns the commands in variables from which other programs start them. */
export function innerCommandsInVariables(assignments: readonly Assignment[]): InnerCommands | undefined {
  const found = assignments.flatMap(({ name, text }): readonly InnerCommands[] => {
    if (holdsSettings.test(name)) return [opaqueCommands];
    if (!holdsCommand.test(name)) return [];
    return [
      /[$`\\]/.test(text) ? opaqueCommands : innerCommandIn(plainWord(text.replace(/['"]/g, '')), /^\w+\+?=/),
    ];
  });
  return found.length > 0 ? joinInnerCommands(found) : undefined;
}

/*
 * A strict debug adapter: it refuses requests out of order, and unknown lines and threads. Its programs are text files,
 * one statement a line: `name = value`, `call name`, `return`, `print text`, `throw text`,
 * `exit code`, `wait`, `die`; all else does nothing. The expression `forever()` is never answered.
 */

import { readFileSync } from 'node:fs';

type Body = Readonly<Record<string, unknown>>;
interface Request {
  readonly seq: number;
  readonly command: string;
  readonly arguments?: Body;
}
interface SetBreakpoint {
  readonly line: number;
  readonly condition?: string;
  readonly logMessage?: string;
}

const capabilities = {
  supportsConfigurationDoneRequest: true,
  supportsConditionalBreakpoints: true,
  supportsLogPoints: true,
  supportsExceptionInfoRequest: true,
  exceptionBreakpointFilters: [
    { filter: 'raised', label: 'Raised Exceptions', default: false },
    { filter: 'uncaught', label: 'Uncaught Exceptions', default: true },
  ],
};

const fromClient = { seq: 0 };
let [seq, phase, path, at] = [0, 'fresh', '', 0];
let lines: readonly string[] = [];
let launch: Request | undefined;
let filters: readonly string[] = [];
const breakpoints = new Map<string, readonly SetBreakpoint[]>();
const values: Record<string, string> = {};
const callers: { name: string; line: number }[] = [];
let thrown = '';
/** True before the first line has run or stopped. */
let isFresh = true;

function send(message: object): void {
  const text = JSON.stringify({ seq: ++seq, ...message });
  process.stdout.write(`Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`);
}

const event = (name: string, body: object = {}) => send({ type: 'event', event: name, body });
const answer = ({ seq: request_seq, command }: Request, body: object = {}) =>
  send({ type: 'response', request_seq, command, success: true, body });

function refuse({ seq: request_seq, command }: Request, message: string): void {
  // Not shown to the user, since no test answers the dialog.
  const body = { error: { id: 1, format: message, showUser: false } };
  send({ type: 'response', request_seq, command, success: false, message, body });
}

function stop(reason: string, text: string): void {
  phase = 'stopped';
  event('stopped', { reason, text, threadId: 7, allThreadsStopped: true });
}

function finish(exitCode: number): void {
  phase = 'over';
  event('exited', { exitCode });
  event('terminated');
}

/** @param steps lines after which it stops. Absent: runs to a breakpoint or the end */
function run(steps?: number, depth = Number.POSITIVE_INFINITY): void {
  phase = 'running';
  let left = steps;
  let outcome: ReturnType<typeof execute> = 'next';
  for (let isFirst = true; outcome === 'next'; isFirst = false) {
    if ((!isFirst || isFresh) && stopsHere()) outcome = 'breakpoint';
    else if (!isFirst && left !== undefined && callers.length <= depth && --left === 0) outcome = 'step';
    else outcome = execute(lines[at] ?? 'exit 0');
    isFresh = false;
  }
  if (outcome !== 'over') stop(outcome, outcome === 'exception' ? thrown : '');
}

function stopsHere(): boolean {
  const point = (breakpoints.get(path) ?? []).find(({ line }) => line === at + 1);
  if (point?.logMessage === undefined) return point !== undefined && holds(point.condition);
  event('output', { category: 'console', output: `${fill(point.logMessage)}\n` });
  return false;
}

function execute(line: string): 'next' | 'over' | 'exception' | 'breakpoint' | 'step' {
  const [, word = '', rest = ''] = /^\s*(\S*)\s*(.*)$/.exec(line)!;
  at++;
  if (word === 'print') event('output', { category: 'stdout', output: `${fill(rest)}\n` });
  else if (rest.startsWith('= ')) values[word] = rest.slice(2);
  else if (word === 'call') {
    callers.push({ name: rest, line: at });
    at = lines.indexOf(`def ${rest}`) + 1;
  } else if (word === 'return') at = callers.pop()!.line;
  else if (word === 'throw') {
    thrown = rest;
    if (filters.includes('raised')) return 'exception';
  } else if (word === 'die') process.exit(3);
  else if (word === 'wait') return 'over';
  else if (word === 'exit' || word === 'def') {
    finish(Number(rest) || 0);
    return 'over';
  }
  return 'next';
}

const fill = (text: string) => text.replaceAll(/\{(\w+)\}/g, (_all, name: string) => values[name] ?? '?');

function holds(condition: string | undefined): boolean {
  const [, name = '', value] = /^(\w+) == (.+)$/.exec(condition ?? '') ?? [];
  return condition === undefined || values[name] === value;
}

function frames(): readonly object[] {
  const names = ['main', ...callers.map(({ name }) => name)].reverse();
  const places = [at + 1, ...callers.map(({ line }) => line).reverse()];
  const own = names.map((name, index) => ({
    id: 100 + index,
    name,
    line: places[index],
    column: 1,
    source: { path },
  }));
  const library = { id: 900, name: 'loader', line: 1, column: 1, source: { path: '/usr/lib/loader.js' } };
  return [...own, library, { ...library, id: 901 }];
}

/** Preconditions and effects of requests. */
const handlers: Readonly<
  Record<string, { readonly in: readonly string[]; readonly do: (request: Request, args: Body) => void }>
> = {
  initialize: {
    in: ['fresh'],
    do: request => {
      phase = 'initialized';
      answer(request, capabilities);
    },
  },
  launch: {
    in: ['initialized'],
    do: (request, { program }) => {
      path = String(program);
      try {
        lines = readFileSync(path, 'utf8').split('\n');
      } catch {
        phase = 'fresh';
        refuse(request, `Cannot find ${path}`);
        return;
      }
      launch = request;
      phase = 'configuring';
      event('initialized');
    },
  },
  setBreakpoints: {
    in: ['configuring', 'running', 'stopped'],
    do: (request, { source, breakpoints: given }) => {
      const wanted = given as readonly SetBreakpoint[];
      const { path: file } = source as { path: string };
      breakpoints.set(file, wanted);
      const isReal = ({ line }: SetBreakpoint) => file === path && line >= 1 && line <= lines.length;
      answer(request, {
        breakpoints: wanted.map((each, id) =>
          isReal(each)
            ? { id, verified: true, line: each.line }
            : { id, verified: false, message: 'No code is there' },
        ),
      });
    },
  },
  setExceptionBreakpoints: {
    in: ['configuring', 'running', 'stopped'],
    do: (request, given) => {
      filters = given.filters as readonly string[];
      answer(request);
    },
  },
  configurationDone: {
    in: ['configuring'],
    do: request => {
      answer(request);
      answer(launch!);
      if (launch!.arguments?.stopOnEntry === true) return stop('entry', '');
      // The program may stop before the client gets the response to its start.
      run();
    },
  },
  threads: {
    in: ['configuring', 'running', 'stopped', 'over'],
    do: request => answer(request, { threads: [{ id: 7, name: 'main' }] }),
  },
  stackTrace: { in: ['stopped'], do: request => answer(request, { stackFrames: frames() }) },
  scopes: {
    in: ['stopped'],
    do: request =>
      answer(request, {
        scopes: [
          { name: 'Local', variablesReference: 1, expensive: false },
          { name: 'Global', variablesReference: 2, expensive: true },
        ],
      }),
  },
  variables: {
    in: ['stopped'],
    do: (request, { variablesReference }) => {
      const all = Object.entries(values);
      const variables = all.map(([name, value]) => ({ name, value, variablesReference: 0 }));
      if (variablesReference === 1) answer(request, { variables });
      else refuse(request, 'Nobody should ask for that');
    },
  },
  exceptionInfo: {
    in: ['stopped'],
    do: request =>
      thrown === ''
        ? refuse(request, 'There is no exception')
        : answer(request, { exceptionId: 'Error', description: thrown, breakMode: 'always' }),
  },
  evaluate: {
    in: ['stopped'],
    do: (request, { expression }) => {
      if (expression === 'forever()') return;
      if (Object.hasOwn(values, String(expression)))
        answer(request, { result: values[String(expression)], variablesReference: 0 });
      else refuse(request, `${String(expression)} is not defined`);
    },
  },
  continue: {
    in: ['stopped'],
    do: request => {
      answer(request, { allThreadsContinued: true });
      run();
    },
  },
  next: { in: ['stopped'], do: request => step(request, callers.length) },
  stepIn: { in: ['stopped'], do: request => step(request) },
  stepOut: { in: ['stopped'], do: request => step(request, callers.length - 1) },
  disconnect: {
    in: ['fresh', 'initialized', 'configuring', 'running', 'stopped', 'over'],
    do: request => {
      answer(request);
      process.exit(0);
    },
  },
};

function step(request: Request, depth?: number): void {
  answer(request);
  run(1, depth);
}

function take(request: Request): void {
  const { command, arguments: args = {} } = request;
  const handler = handlers[command];
  if (request.seq !== ++fromClient.seq) refuse(request, `The number should be ${fromClient.seq}`);
  else if (!handler) refuse(request, `${command} is unknown`);
  else if (!handler.in.includes(phase)) refuse(request, `${command} does not belong here: ${phase}`);
  else if ('threadId' in args && args.threadId !== 7) refuse(request, 'There is no such thread');
  else handler.do(request, args);
}

let unread = Buffer.alloc(0);
process.stdin.on('data', (bytes: Buffer) => {
  unread = Buffer.concat([unread, bytes]);
  for (let end = unread.indexOf('\r\n\r\n'); end >= 0; end = unread.indexOf('\r\n\r\n')) {
    const length = Number(/^Content-Length: (\d+)$/.exec(unread.toString('latin1', 0, end))?.[1]);
    if (unread.length < end + 4 + length) return;
    take(JSON.parse(unread.toString('utf8', end + 4, end + 4 + length)) as Request);
    unread = unread.subarray(end + 4 + length);
  }
});

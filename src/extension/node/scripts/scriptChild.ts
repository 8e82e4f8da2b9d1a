/*
 * The program inside of the sandbox. Reads a script from its input, runs it, and forwards tool calls. It is started
 * from its own source text (`node -e`), so it uses nothing outside of its function.
 *
 * The script's VM context only isolates mistakes. A script that escapes it is still in the sandbox, and can send the
 * host no more than before.
 */

interface Start {
  readonly script: string;
  /** Tool names, by server and function. */
  readonly servers: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

interface Answer {
  readonly id: number;
  readonly ok: boolean;
  readonly text: string;
}

export function runScriptChild(): void {
  const vm = process.getBuiltinModule('node:vm');
  const nodeModule = process.getBuiltinModule('node:module');
  const longest = 2_000_000;
  const waiting = new Map<number, { answer: (given: Answer) => void }>();
  let [calls, printed, isOver] = [0, 0, false];

  const timers = { setTimeout, clearTimeout, setInterval, clearInterval };
  const more = { URL, URLSearchParams, TextEncoder, TextDecoder, atob, btoa, structuredClone };
  const context = vm.createContext(
    { ...timers, ...more },
    { codeGeneration: { strings: false, wasm: false } },
  );
  const inside = vm.runInContext('({ parse: JSON.parse, Error, Proxy })', context) as {
    parse: typeof JSON.parse;
    Error: ErrorConstructor;
    Proxy: ProxyConstructor;
  };

  function send(message: object): void {
    process.stdout.write(`${JSON.stringify(message)}\n`);
  }

  function end(message: object): void {
    if (isOver) return;
    isOver = true;
    process.stdout.write(`${JSON.stringify(message)}\n`, () => process.exit(0));
  }

  function kindOf(value: unknown): string {
    return Object.prototype.toString.call(value).slice(8, -1);
  }

  /** Formats a value as JSON, including values that JSON does not support. */
  function show(value: unknown): string {
    if (value === undefined) return '';
    if (typeof value === 'string') return value;
    if (typeof value === 'function' || typeof value === 'symbol') return String(value);
    const within: unknown[] = [];
    const plain = function (this: unknown, _key: string, each: unknown): unknown {
      if (typeof each === 'bigint') return String(each);
      if (typeof each !== 'object' || each === null) return each;
      while (within.length > 0 && within.at(-1) !== this) within.pop();
      if (within.includes(each)) return '[Circular]';
      const kind = kindOf(each);
      if (kind === 'Error') return `${(each as Error).name}: ${(each as Error).message}`;
      const plainer = kind === 'Map' || kind === 'Set' ? [...(each as Iterable<unknown>)] : each;
      within.push(plainer);
      return plainer;
    };
    return JSON.stringify(value, plain) ?? '';
  }

  function cut(text: string): string {
    if (text.length <= longest) return text;
    const last = text.charCodeAt(longest - 1);
    const place = last >= 0xd800 && last <= 0xdbff ? longest - 1 : longest;
    return `${text.slice(0, place)}\n[The rest is left out: ${text.length - place} characters.]`;
  }

  function print(...values: readonly unknown[]): void {
    if (isOver || printed > longest) return;
    const text = cut(values.map(show).join(' '));
    printed += text.length;
    send({ type: 'print', text: printed > longest ? `${text}\n[More is not printed.]` : text });
  }

  function fail(error: unknown): void {
    let [message, stack] = ['It threw something that cannot be read.', ''];
    try {
      const { message: said, name, stack: trace } = (Object(error) === error ? error : {}) as Error;
      stack = String(trace ?? '');
      const kind = name === undefined || name === 'Error' || name === 'ToolError' ? '' : `${name}: `;
      message = said === undefined ? show(error) : `${kind}${said}`;
    } catch {
      // Its getters may throw again.
    }
    const line = /script\.js:(\d+)/.exec(stack)?.[1];
    end({ type: 'threw', message: cut(message), line: line === undefined ? undefined : Number(line) });
  }

  function parsed(text: string): unknown {
    if (!/^\s*[[{]/.test(text)) return text;
    try {
      return inside.parse(text);
    } catch {
      return text;
    }
  }

  function callTool(tool: string, given: readonly unknown[]): Promise<unknown> {
    // Created here, so that its stack has the line of the call.
    const failure = new inside.Error('');
    failure.name = 'ToolError';
    const called = new Promise<unknown>((resolve, reject) => {
      const [args = {}] = given;
      const json = JSON.stringify(args);
      if (given.length > 1 || Object(args) !== args || Array.isArray(args) || json === undefined)
        throw new inside.Error(`${tool} takes one object with its arguments.`);
      calls += 1;
      const answer = ({ ok, text }: Answer) => {
        if (ok) resolve(parsed(text));
        else {
          failure.message = text;
          reject(failure);
        }
      };
      waiting.set(calls, { answer });
      process.stdin.ref();
      send({ type: 'call', id: calls, tool, args: JSON.parse(json) });
    });
    // An unawaited call must not end the process.
    called.catch(() => {});
    return called;
  }

  function letters(name: string): string {
    return name.toLowerCase().replace(/[^a-z0-9]/g, '');
  }

  /** Reports access to a missing name as an error with the existing names, instead of `undefined`. */
  function named<T>(members: Readonly<Record<string, T>>, describe: (name: string) => string): unknown {
    return new inside.Proxy<Record<string, T>>(Object.freeze({ ...members }), {
      get: (target, name) => {
        if (typeof name !== 'string' || name === 'then' || name === 'toJSON') return undefined;
        if (Object.hasOwn(target, name)) return target[name];
        const alike = Object.keys(target).filter(each => letters(each) === letters(name));
        if (alike.length === 1) return target[alike[0]!];
        throw new inside.Error(`${describe(name)} There are: ${Object.keys(target).join(', ')}`);
      },
    });
  }

  function serversOf({ servers }: Start): unknown {
    const members = Object.entries(servers).map(([server, tools]) => {
      const functions = Object.entries(tools).map(
        ([name, tool]) => [name, (...given: readonly unknown[]) => callTool(tool, given)] as const,
      );
      return [
        server,
        named(Object.fromEntries(functions), name => `${server} has no tool ${name}.`),
      ] as const;
    });
    return named(Object.fromEntries(members), name => `There is no server ${name}.`);
  }

  /** A single expression is its own result. Strips types if there are any. */
  function compile(script: string): { runInContext(where: object): unknown } {
    const as = (code: string) => new vm.Script(code, { filename: 'script.js', lineOffset: -1 });
    const body = `(async () => {\n${script}\n})()`;
    try {
      return as(`(async () => (\n${script.replace(/[\s;]+$/, '')}\n))()`);
    } catch {
      // It is more than an expression.
    }
    try {
      return as(body);
    } catch (error) {
      let code: string;
      try {
        code = nodeModule.stripTypeScriptTypes(body);
      } catch {
        throw error;
      }
      return as(code);
    }
  }

  async function run(start: Start): Promise<void> {
    const console = { log: print, info: print, warn: print, error: print, debug: print };
    const sleep = (ms: number) => new Promise(resolve => setTimeout(resolve, ms));
    Object.assign(context, { servers: serversOf(start), console, print, sleep });
    // Only an open call keeps the process alive for input, so that it ends when nothing more can arrive.
    process.stdin.unref();
    let value = await compile(start.script).runInContext(context);
    // If the script is a function, call it.
    if (typeof value === 'function') value = await value();
    while (waiting.size > 0) await sleep(1);
    end({ type: 'returned', text: cut(show(value)) });
  }

  process.on('beforeExit', () => fail(new Error('It waits for something that cannot come any more.')));
  process.on('unhandledRejection', fail);
  process.on('uncaughtException', fail);
  let rest = '';
  let isBegun = false;
  process.stdin.setEncoding('utf8');
  process.stdin.on('end', () => process.exit(1));
  process.stdin.on('data', (text: string) => {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      const message = JSON.parse(line);
      if (isBegun) {
        const open = waiting.get(message.id);
        waiting.delete(message.id);
        if (waiting.size === 0) process.stdin.unref();
        open?.answer(message);
      } else {
        isBegun = true;
        run(message).catch(fail);
      }
    }
  });
}

import * as z from 'zod';
import { lazySchema } from '../../../protocol/lazySchema.ts';
import { tryParseJson } from '../../base/record.ts';
import { plainTerminalText } from '../../base/terminalText.ts';
import type { TestLocation, TestOutcome } from '../../platform/editorTests.ts';

/** `junit`: XML of many runners. `jest`: output of `jest --json`. */
export type TestReportFormat = 'junit' | 'jest';

/** Returns `undefined` if the text is no such report, or incomplete. */
export async function parseTestOutcomes(
  format: TestReportFormat,
  text: string,
): Promise<readonly TestOutcome[] | undefined> {
  return format === 'junit' ? await parseJunit(text) : parseJest(text);
}

interface OpenCase {
  readonly attributes: Readonly<Record<string, string>>;
  readonly suites: readonly string[];
  result: TestOutcome['result'];
  message: string;
  body: string;
}

async function parseJunit(text: string): Promise<readonly TestOutcome[] | undefined> {
  const { Parser } = await import('htmlparser2');
  const outcomes: TestOutcome[] = [];
  const suites: string[] = [];
  let open: OpenCase | undefined;
  let isFailure = false;
  let root: string | undefined;
  let isWhole = false;
  let isCut = false;
  const parser = new Parser(
    {
      onopentag: (tag, attributes) => {
        root ??= tag;
        if (tag === 'testsuite') suites.push(attributes.name ?? '');
        if (tag === 'testcase')
          open = { attributes, suites: [...suites], result: 'passed', message: '', body: '' };
        if (!open) return;
        if (tag === 'skipped') open.result = 'skipped';
        isFailure = tag === 'failure' || tag === 'error';
        if (!isFailure) return;
        open.result = 'failed';
        open.message = attributes.message ?? '';
      },
      ontext: part => {
        if (open && isFailure) open.body += part;
      },
      onclosetag: tag => {
        isFailure = false;
        if (isCut) return;
        if (tag === 'testsuite') suites.pop();
        if (tag === 'testcase' && open) outcomes.push(outcomeOf(open));
        if (tag === 'testcase') open = undefined;
        if (suites.length === 0 && tag === root) isWhole = true;
      },
    },
    { xmlMode: true, decodeEntities: true },
  );
  parser.write(text);
  // Only the end of the parser closes elements that are still open.
  isCut = root !== undefined && !isWhole;
  parser.end();
  return isWhole ? outcomes : undefined;
}

/** Suites of runners that put everything into one suite and the real suite into the class name. */
const flatSuites: ReadonlySet<string> = new Set(['pytest', 'Mocha Tests']);
/** vitest writes a suite for each file. */
const fileName = /\.[cm]?[jt]sx?$/;

function outcomeOf({ attributes, suites, result, message, body }: OpenCase): TestOutcome {
  const { name = '', classname = '', file } = attributes;
  const isFlat = flatSuites.has(suites.at(-1) ?? '');
  const around = isFlat ? [classname] : suites.filter(suite => suite !== classname || !fileName.test(suite));
  const outcome = { name: [...around, name].filter(Boolean).join(' > '), result };
  if (result !== 'failed') return outcome;
  const [said, whole] = [plain(message), plain(body)];
  return {
    ...outcome,
    message: clearest(said, whole),
    place: placeOf(whole) ?? (file ? { path: file } : undefined),
  };
}

/** A diff tells more than the message above it. Without one, the message is enough and the rest is a stack. */
function clearest(message: string, body: string): string {
  const shown = withoutStack(body);
  const hasDiff = /^\s*[-+] (?:Expected|Received)/m.test(shown);
  return (hasDiff || message === '' ? shown : withoutStack(message)).trim();
}

const frame = /^\s*(?:at |❯ |File ")|^⎯{3}/;

function withoutStack(text: string): string {
  const lines = text.split('\n');
  const end = lines.findIndex(line => frame.test(line));
  return (end < 0 ? lines : lines.slice(0, end)).join('\n').trim();
}

const named = /(?:file:\/\/)?((?:[A-Za-z]:)?[^\s()'"<>:]+\.\w+):(\d+)/;

/** Returns the innermost location in the project's code. Python lists it last, others first. */
function placeOf(text: string): TestLocation | undefined {
  const found = text.split('\n').flatMap(line => {
    const [, path = '', number] = named.exec(line) ?? [];
    const isForeign = path === '' || /[\\/]node_modules[\\/]|[\\/]site-packages[\\/]/.test(path);
    const isFrame = frame.test(line) || /^\S+:\d+: /.test(line);
    return isForeign || !isFrame ? [] : [{ path, line: Number(number) }];
  });
  return found.find(({ path }) => path.endsWith('.py')) ? found.at(-1) : found[0];
}

function plain(text: string): string {
  // pytest writes a control character as its code.
  return plainTerminalText(text.replace(/#x1B\[[\d;]*m/g, '')).trim();
}

const jestReport = lazySchema(() =>
  z.object({
    testResults: z.array(
      z.object({
        name: z.string(),
        message: z.string().optional(),
        status: z.string().optional(),
        assertionResults: z.array(
          z.object({
            fullName: z.string(),
            status: z.string(),
            failureMessages: z.array(z.string()).nullish(),
          }),
        ),
      }),
    ),
  }),
);

function parseJest(text: string): readonly TestOutcome[] | undefined {
  const report = jestReport().safeParse(tryParseJson(text)).data;
  return report?.testResults.flatMap(({ name: path, message = '', status, assertionResults }) => {
    // A file that failed to load has no tests.
    if (assertionResults.length === 0 && status === 'failed') {
      const said = plain(message);
      return [{ name: path, result: 'failed' as const, message: said, place: placeOf(said) ?? { path } }];
    }
    return assertionResults.map(each => {
      const said = plain((each.failureMessages ?? []).join('\n'));
      const result = each.status === 'passed' || each.status === 'failed' ? each.status : 'skipped';
      const outcome = { name: each.fullName, result } as const;
      return result === 'failed'
        ? { ...outcome, message: withoutStack(said), place: placeOf(said) ?? { path } }
        : outcome;
    });
  });
}

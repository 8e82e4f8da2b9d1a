/*
 * The script of the rehearsal. Each scene checks what happened since the prompt and returns the next answer, or nothing
 * when it is over. So the script continues after any decision of the user:
 *
 *   reading ─► (planning ─►) reproducing ─► fixing ─► checking ─► conclusion
 *      └───────────┴──────────────┴────────────┴─────────┴──────► an honest end, when a call was denied or failed
 */

import { headOf } from '../base/text.ts';
import type { FinishedCall, RehearsedConversation } from './conversation.ts';
import * as lines from './sentences.ts';
import { remark } from './sentences.ts';
import { isSummaryRequest, writeStateSnapshot } from './snapshot.ts';
import { parseTestReport } from './testReport.ts';

export interface ScriptedAnswer {
  readonly thought?: string;
  readonly text: string;
  readonly calls: readonly ScriptedCall[];
}

interface ScriptedCall {
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
}

export function nextAnswer(conversation: RehearsedConversation): ScriptedAnswer {
  const { prompt, earlier, tools } = conversation;
  if (isSummaryRequest(conversation)) return say(writeStateSnapshot(conversation));
  if (tools.size === 0) return say(draftAnswer(prompt) ?? lines.withoutTools);
  if (!isAboutSample(prompt) && !asksForPlan(conversation)) return say(lines.unrelated);
  if (wasPlayed(earlier)) return say(lines.played);
  const scenes = [read, plan, reproduce, fix, check];
  for (const scene of scenes) {
    const answer = scene(conversation);
    if (answer) return answer;
  }
  return conclude(conversation);
}

/** Returns whether the fix was made and the tests ran after it. */
function wasPlayed(earlier: readonly FinishedCall[]): boolean {
  const fixed = earlier.findLastIndex(({ name, ok }) => name === 'replace' && ok);
  return fixed >= 0 && earlier.slice(fixed).some(({ name, ok }) => name === 'run_shell_command' && ok);
}

function read(now: RehearsedConversation): ScriptedAnswer | undefined {
  const listing = find(now, 'list_directory');
  if (!listing) {
    const calls = [topic('Reading the invoice code'), { name: 'list_directory', args: { dir_path: '.' } }];
    return act(now, lines.thoughtOfListing, '', calls);
  }
  if (!listing.ok) return say(lines.gaveUp('list the folder', listing.text));
  if (!looksLikeSample(listing.text)) return say(lines.notTheSample);
  const read = now.calls.filter(({ name }) => name === 'read_file');
  if (read.length === 0) {
    const calls = readFirst.map(path => ({ name: 'read_file', args: { file_path: path } }));
    return act(now, lines.thoughtOfReading, lines.reading, calls);
  }
  const failed = read.find(({ ok }) => !ok);
  if (failed) return say(lines.gaveUp(`read ${String(failed.args.file_path)}`, failed.text));
  return sourceOf(now).includes('invoiceTotal') ? undefined : say(lines.notTheSample);
}

/**
 * Runs in plan mode, or if a plan was requested. Includes the user's remarks once. The rest follows the approved plan.
 */
function plan(now: RehearsedConversation): ScriptedAnswer | undefined {
  if (!asksForPlan(now)) return undefined;
  const presented = now.calls.filter(({ name }) => name === 'exit_plan_mode');
  const last = presented.at(-1);
  if (last?.ok) return undefined;
  const remark = /They said: (.+)/.exec(last?.text ?? '')?.[1];
  if (last && (!remark || presented.length > 1)) return say(lines.planSentBack(last.text));
  const args = { title: lines.planTitle, plan: lines.planText(remark) };
  return act(now, lines.thoughtOfPlanning, remark ? lines.planningAgain : lines.planning, [
    { name: 'exit_plan_mode', args },
  ]);
}

function asksForPlan({ prompt, tools, calls }: RehearsedConversation): boolean {
  const isDecided = calls.some(({ name }) => name === 'exit_plan_mode');
  return /^\W*plan\b/i.test(prompt) && (tools.has('exit_plan_mode') || isDecided);
}

function reproduce(now: RehearsedConversation): ScriptedAnswer | undefined {
  const [run] = testRuns(now);
  if (!run) {
    const calls = [topic('Reproducing the failure', lines.readingSummary), runTests('Run the tests')];
    return act(now, lines.thoughtOfReproducing, lines.reproducing, calls);
  }
  if (!run.ok) return say(lines.gaveUp(`run ${testCommand}`, run.text));
  const report = parseTestReport(run.text);
  if (!report) return say(lines.testsDidNotRun(run.text));
  return report.failed === 0 ? say(lines.nothingToFix(report)) : undefined;
}

function fix(now: RehearsedConversation): ScriptedAnswer | undefined {
  const edit = find(now, 'replace');
  const report = parseTestReport(testRuns(now)[0]?.text ?? '');
  if (!edit) {
    if (!holdsBrokenCode(sourceOf(now))) return say(lines.unknownCode(report));
    const args = {
      file_path: brokenFile,
      instruction: lines.instruction,
      old_string: brokenCode,
      new_string: fixedCode,
    };
    const calls = [topic('Fixing the rounding', lines.reproducedSummary(report)), { name: 'replace', args }];
    return act(now, lines.thoughtOfFixing, lines.fixing(report), calls);
  }
  return edit.ok ? undefined : say(lines.notFixed(edit.text, report));
}

function check(now: RehearsedConversation): ScriptedAnswer | undefined {
  if (testRuns(now).length > 1) return undefined;
  const calls = [topic('Checking the fix', lines.fixedSummary), runTests('Run the tests again')];
  return act(now, lines.thoughtOfChecking, lines.checking, calls);
}

function conclude(now: RehearsedConversation): ScriptedAnswer {
  const [before, after] = testRuns(now);
  if (!after?.ok) return say(lines.notChecked(after?.text ?? ''));
  const report = parseTestReport(after.text);
  if (!report) return say(lines.notChecked(after.text));
  return say(lines.conclusion(parseTestReport(before?.text ?? ''), report));
}

function testRuns({ calls }: RehearsedConversation): FinishedCall[] {
  return calls.filter(({ name }) => name === 'run_shell_command');
}

function sourceOf({ calls }: RehearsedConversation): string {
  return calls.find(({ name, args }) => name === 'read_file' && args.file_path === brokenFile)?.text ?? '';
}

function find({ calls }: RehearsedConversation, name: string): FinishedCall | undefined {
  return calls.findLast(call => call.name === name);
}

function topic(title: string, summary?: string): ScriptedCall {
  return { name: 'create_new_topic', args: summary ? { title, summary } : { title } };
}

function runTests(description: string): ScriptedCall {
  return { name: 'run_shell_command', args: { command: testCommand, description } };
}

/** Calls only tools of this session, since the mode or the user may have removed some. */
function act(
  { tools }: RehearsedConversation,
  thought: string,
  text: string,
  wanted: readonly ScriptedCall[],
): ScriptedAnswer {
  const missing = wanted.find(({ name }) => name !== 'create_new_topic' && !tools.has(name));
  if (missing) return say(lines.toolIsMissing(missing.name));
  const calls = wanted.flatMap(({ name, args }) => {
    const known = tools.get(name);
    if (!known) return [];
    return [{ name, args: Object.fromEntries(Object.entries(args).filter(([key]) => known.includes(key))) }];
  });
  return { thought, text, calls };
}

function say(text: string): ScriptedAnswer {
  return { text, calls: [] };
}

/** Returns `undefined` if the request asks for no draft. */
function draftAnswer(prompt: string): string | undefined {
  const tag = /between <(commit_message|pull_request)> and <\/\1>/.exec(prompt)?.[1];
  if (tag === undefined) return undefined;
  const block = (name: string) => new RegExp(`<${name}>\\n([\\s\\S]*?)\\n</${name}>`).exec(prompt)?.[1] ?? '';
  const chapters = readChapters(block('chapters'));
  const changed = chapters.findLast(({ files }) => files > 0) ?? chapters.at(-1);
  const [, file] = /^\+\+\+ b\/(.+)$/m.exec(block('diff')) ?? [];
  const title = headOf(changed?.title ?? (file ? `Change ${file}` : 'Change files'), 72);
  const reported = chapters.filter(({ summary }) => summary !== '').map(({ summary }) => `- ${summary}`);
  const body = [reported.join('\n'), tag === 'pull_request' ? remark : ''].filter(text => text !== '');
  return `<${tag}>\n${[title, ...body].join('\n\n')}\n</${tag}>`;
}

interface ReportedChapter {
  readonly title: string;
  readonly summary: string;
  readonly files: number;
}

/** A chapter starts with its number. Its summary and files follow, indented. */
function readChapters(block: string): ReportedChapter[] {
  return block
    .split(/^(?=\d+\. )/m)
    .filter(text => /^\d+\. /.test(text))
    .map(text => {
      const [first = '', ...lines] = text.trimEnd().split('\n');
      const files = lines.filter(line => line.startsWith('   - '));
      const summary = lines.filter(line => !files.includes(line)).map(line => line.trim());
      return { title: first.replace(/^\d+\. /, ''), summary: summary.join(' '), files: files.length };
    });
}

/* Facts about the sample project for the script. */

const readFirst = ['src/invoice.js', 'src/money.js', 'test/invoice.test.js'] as const;

const brokenFile = 'src/invoice.js';

const testCommand = 'npm test';

/** Rounds the tax of each line, which loses fractions of a cent before they add up. */
const brokenCode = `  let total = 0;
  for (const line of lines) {
    total += lineNet(line) + roundCents(lineTax(line));
  }
  return total;
`;

const fixedCode = `  let net = 0;
  let tax = 0;
  for (const line of lines) {
    net += lineNet(line);
    tax += lineTax(line);
  }
  return net + roundCents(tax);
`;

/** A reading tool may prefix lines or end them differently, so lines are searched one by one. */
function holdsBrokenCode(source: string): boolean {
  return brokenCode
    .split('\n')
    .map(line => line.trim())
    .every(line => source.includes(line));
}

function looksLikeSample(listing: string): boolean {
  return ['package.json', 'src', 'test'].every(name => listing.includes(name));
}

function isAboutSample(prompt: string): boolean {
  const subject =
    /\b(tests?|fail\w*|bugs?|fix\w*|invoices?|totals?|cents?|round\w*|tax\w*|sample|rehears\w*)\b/i;
  const goOn = /^\W*(continue|continue|carry on|try again|again|retry|proceed|yes|ok|okay)\b/i;
  return subject.test(prompt) || goOn.test(prompt);
}

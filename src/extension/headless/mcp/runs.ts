import { inputRequired, type McpServer, type ServerContext } from '@modelcontextprotocol/server';
import * as z from 'zod';
import { fieldsOf, isRecord } from '../../base/record.ts';
import { CommandError } from '../../core/commandError.ts';
import type { HeadlessArguments } from '../arguments.ts';
import { decisionForm, type FormAnswer } from './askClient.ts';
import { askFolio, type FolioAnswer } from './askFolio.ts';
import type { ServedFolders } from './servedFolders.ts';
import { ServedRun } from './servedRun.ts';

/** Maximum of parallel runs; each has its own agent. */
const maxRuns = 4;
/** Many clients time out after a minute of silence. */
const progressPauseMs = 10_000;
/** How long a run's answer waits for its client. */
const keptMs = 10 * 60_000;

const input = z.object({
  prompt: z.string().trim().min(1).describe('The task, with all that Folio has to know of it'),
  folder: z.string().optional().describe('Where to work: a path in the folder of this server, its default'),
  session: z.string().optional().describe('The id of an earlier session of that folder, to continue it'),
  mode: z
    .enum(['plan', 'default', 'autoEdit', 'yolo'])
    .optional()
    .describe(
      'plan: only reads; default: asks before edits and commands. At most what the user allows, the default',
    ),
});

const output = z.object({
  session: z.string(),
  end: z.string().describe('"rested" when it is done'),
  answer: z.string(),
  changed: z.array(z.string()).describe('Files that it changed; the user reviews them'),
  denied: z.array(z.string()).describe('What nobody could be asked for, or the user denied'),
});

/** The runs of the connected client. */
export class ServedRuns {
  private readonly args: HeadlessArguments;
  private readonly folders: ServedFolders;
  private readonly warn: (sentence: string) => void;
  private readonly ended: AbortSignal;
  private readonly open = new Set<ServedRun>();
  /** Runs whose answer has not been fetched. */
  private readonly kept = new Map<string, { readonly run: ServedRun; readonly progress: ProgressLine }>();

  constructor(
    args: HeadlessArguments,
    folders: ServedFolders,
    warn: (sentence: string) => void,
    ended: AbortSignal,
  ) {
    this.args = args;
    this.folders = folders;
    this.warn = warn;
    this.ended = ended;
  }

  offer(server: McpServer): void {
    server.registerTool(
      'ask_folio',
      {
        title: 'Ask Folio',
        description:
          'Has Folio, a coding agent, work on a task in the folder of this server, and gives its answer, the files that it changed, and what was denied. It may take minutes.',
        inputSchema: input,
        outputSchema: output,
        annotations: { readOnlyHint: false, destructiveHint: true, openWorldHint: true },
      },
      (request, context) => this.answer(server, request, context),
    );
  }

  /** Resolves when nothing runs. */
  async settle(): Promise<void> {
    await Promise.allSettled([...this.open].map(({ result }) => result));
  }

  private async answer(server: McpServer, request: z.output<typeof input>, context: ServerContext) {
    const { inputResponses, signal } = context.mcpReq;
    const state = context.mcpReq.requestState();
    const { run, progress } =
      state === undefined ? await this.begin(server, request, context) : this.find(state);
    progress.follow(context);
    for (const [id, given] of Object.entries(inputResponses ?? {})) run.decide(id, answerIn(given));
    const step = await run.next(signal);
    if (step.kind === 'answer') {
      this.kept.delete(run.id);
      return toResult(step.answer);
    }
    progress.follow(undefined);
    const form = inputRequired.elicit({ message: step.message, requestedSchema: decisionForm });
    return inputRequired({ inputRequests: { [step.id]: form }, requestState: run.id });
  }

  private find(state: unknown) {
    const kept = typeof state === 'string' ? this.kept.get(state) : undefined;
    if (!kept)
      throw new CommandError(
        'This prompt does not wait for an answer any more. Continue its session by its id.',
      );
    return kept;
  }

  private async begin(
    server: McpServer,
    { folder, ...request }: z.output<typeof input>,
    context: ServerContext,
  ) {
    if (this.open.size >= maxRuns)
      throw new CommandError(`Folio works on ${maxRuns} prompts already. Wait for the end of one.`);
    const asked = { ...request, folder: await this.folders.find(folder) };
    const progress = new ProgressLine(context);
    const asks = showsForms(server, context);
    const run = new ServedRun(
      (ask, signal) =>
        askFolio(asked, this.args, line => progress.say(line), asks ? ask : undefined, this.warn, signal),
      this.ended,
    );
    this.open.add(run);
    const begun = { run, progress };
    this.kept.set(run.id, begun);
    const end = () => this.end(run, progress);
    run.result.then(end, end);
    return begun;
  }

  private end(run: ServedRun, progress: ProgressLine): void {
    progress.end();
    this.open.delete(run);
    // Drops the answer if the client never asks again.
    setTimeout(() => this.kept.delete(run.id), keptMs).unref();
  }
}

/**
 * A client of the newest protocol declares forms with each request, an older one at initialization. An empty
 * declaration means forms.
 */
function showsForms({ server }: McpServer, { mcpReq }: ServerContext): boolean {
  const own: unknown = fieldsOf(mcpReq.envelope)['io.modelcontextprotocol/clientCapabilities'];
  const { elicitation } = fieldsOf(own ?? server.getClientCapabilities());
  if (!isRecord(elicitation)) return false;
  return elicitation.form !== undefined || elicitation.url === undefined;
}

/** Anything but an explicit yes denies. */
function answerIn(given: unknown): FormAnswer {
  const { action, content } = fieldsOf(given);
  if (action === 'accept' && fieldsOf(content).decision === 'allow') return { kind: 'allow' };
  return action === 'cancel'
    ? { kind: 'deny', reason: 'The question was closed without an answer.' }
    : { kind: 'deny' };
}

/** Sends progress to a client that requested it, also as a sign of life. */
class ProgressLine {
  private context: ServerContext | undefined;
  private readonly beat: NodeJS.Timeout;
  private line = 'Folio begins';
  private progress = 0;

  constructor(context: ServerContext) {
    this.context = context;
    this.beat = setInterval(() => this.say(this.line), progressPauseMs);
  }

  /** Each request has its own stream. `undefined` if none is open. */
  follow(context: ServerContext | undefined): void {
    this.context = context;
  }

  say(message: string): void {
    this.line = message;
    if (!this.context) return;
    const { _meta, notify, signal } = this.context.mcpReq;
    const progressToken = _meta?.progressToken;
    if (progressToken === undefined || signal.aborted) return;
    this.progress += 1;
    const params = { progressToken, progress: this.progress, message };
    // Ignores errors of a disconnected client; its signal ends the run.
    void notify({ method: 'notifications/progress', params }).catch(() => {});
  }

  end(): void {
    clearInterval(this.beat);
  }
}

function toResult(answer: FolioAnswer) {
  const { session, changed, denied } = answer;
  const facts = [
    `Session: ${session}`,
    changed.length > 0 && `Changed, for the user to review: ${changed.join(', ')}`,
    denied.length > 0 && `Denied, by the user or since nobody was there to ask: ${denied.join('; ')}`,
  ].filter(fact => typeof fact === 'string');
  return {
    content: [
      { type: 'text' as const, text: [answer.answer, facts.join('\n')].filter(Boolean).join('\n\n') },
    ],
    structuredContent: { ...answer, changed: [...changed], denied: [...denied] },
    isError: answer.end !== 'rested',
  };
}

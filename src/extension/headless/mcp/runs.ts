import type { McpServer, ServerContext } from '@modelcontextprotocol/server';
import * as z from 'zod';
import { Refusal } from '../../core/refusal.ts';
import type { HeadlessArguments } from '../arguments.ts';
import { askFolio, type FolioAnswer } from './askFolio.ts';
import type { ServedFolders } from './servedFolders.ts';

/** Side by side; each has an agent of its own. */
const maxRuns = 4;
/** Many clients give up after a minute of silence. */
const progressPauseMs = 10_000;

const input = z.object({
  prompt: z.string().trim().min(1).describe('The task, with all that Folio has to know of it'),
  folder: z.string().optional().describe('Where to work: a path in the folder of this server, its default'),
  session: z.string().optional().describe('The id of an earlier session of that folder, to continue it'),
  mode: z
    .enum(['plan', 'default', 'autoEdit', 'yolo'])
    .optional()
    .describe(
      'plan: only reads; default: what would ask is denied. At most what the user allows, the default',
    ),
});

const output = z.object({
  session: z.string(),
  end: z.string().describe('"rested" when it is done'),
  answer: z.string(),
  changed: z.array(z.string()).describe('Files that it changed; the user reviews them'),
  denied: z.array(z.string()).describe('What it would have had to ask the user for'),
});

/** The prompts of the client at the other end. */
export class Runs {
  private readonly args: HeadlessArguments;
  private readonly folders: ServedFolders;
  private readonly warn: (sentence: string) => void;
  private readonly ended: AbortSignal;
  private readonly open = new Set<Promise<FolioAnswer>>();

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
      async (request, context) => toResult(await this.run(request, context)),
    );
  }

  /** Resolves when nothing runs any more. */
  async settle(): Promise<void> {
    await Promise.allSettled(this.open);
  }

  private async run(request: z.output<typeof input>, context: ServerContext): Promise<FolioAnswer> {
    if (this.open.size >= maxRuns)
      throw new Refusal(`Folio works on ${maxRuns} prompts already. Wait for the end of one.`);
    const progress = new ProgressLine(context);
    const running = this.start(request, progress, AbortSignal.any([this.ended, context.mcpReq.signal]));
    this.open.add(running);
    try {
      return await running;
    } finally {
      progress.end();
      this.open.delete(running);
    }
  }

  private async start(
    { folder, ...request }: z.output<typeof input>,
    progress: ProgressLine,
    signal: AbortSignal,
  ): Promise<FolioAnswer> {
    const asked = { ...request, folder: await this.folders.find(folder) };
    return await askFolio(asked, this.args, line => progress.say(line), this.warn, signal);
  }
}

/** Tells a client that wants it what happens, and that something still does. */
class ProgressLine {
  private readonly context: ServerContext;
  private readonly beat: NodeJS.Timeout;
  private line = 'Folio begins';
  private progress = 0;

  constructor(context: ServerContext) {
    this.context = context;
    this.beat = setInterval(() => this.say(this.line), progressPauseMs);
  }

  say(message: string): void {
    this.line = message;
    const { _meta, notify, signal } = this.context.mcpReq;
    const progressToken = _meta?.progressToken;
    if (progressToken === undefined || signal.aborted) return;
    this.progress += 1;
    const params = { progressToken, progress: this.progress, message };
    // A client that has gone hears nothing; its signal ends the run.
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
    denied.length > 0 && `Denied, since nobody was there to ask: ${denied.join('; ')}`,
  ].filter(fact => typeof fact === 'string');
  return {
    content: [
      { type: 'text' as const, text: [answer.answer, facts.join('\n')].filter(Boolean).join('\n\n') },
    ],
    structuredContent: { ...answer, changed: [...changed], denied: [...denied] },
    isError: answer.end !== 'rested',
  };
}

/* Folio's reading tools for VS Code, with the same path checks and policy as in a session. */

import {
  type CancellationToken,
  LanguageModelDataPart,
  LanguageModelTextPart,
  LanguageModelToolResult,
  type PreparedToolInvocation,
} from 'vscode';
import type * as z from 'zod';
import { inEnglish } from '../../../../protocol/language.ts';
import { canonicalJson } from '../../../base/canonicalJson.ts';
import { escapeInvisibleText } from '../../../base/hiddenText.ts';
import { cutMiddle } from '../../../base/text.ts';
import { WorkspacePaths } from '../../../core/paths.ts';
import type { Policy } from '../../../core/policy/policy.ts';
import type { AnyTool, CallContext, CallTarget } from '../../../core/tool.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { FileSystem } from '../../../platform/fileSystem.ts';
import type { Search } from '../../../platform/search.ts';
import type { Settings } from '../../../platform/settings.ts';
import { readOnlyTools } from '../../../tools/readOnlyTools.ts';
import { workspaceFolders } from '../../workspaceFolders.ts';

interface Prepared {
  readonly policy: Policy;
  readonly tool: AnyTool;
  readonly input: unknown;
  readonly target: CallTarget | undefined;
}

/** Calls approved by the user but not made yet. */
const maxAsked = 100;

export class ExposedTools {
  private readonly files: FileSystem;
  private readonly search: Search;
  private readonly clock: Clock;
  private readonly settings: Settings;
  private readonly makePolicy: (gate: WorkspacePaths) => Policy;
  private readonly asked = new Set<string>();

  /** @param makePolicy makes a policy without permissions of any session */
  constructor(
    files: FileSystem,
    search: Search,
    clock: Clock,
    settings: Settings,
    makePolicy: (gate: WorkspacePaths) => Policy,
  ) {
    this.files = files;
    this.search = search;
    this.clock = clock;
    this.settings = settings;
    this.makePolicy = makePolicy;
  }

  /** VS Code asks if the policy does. A denial is reported by the call itself. */
  async prepare(name: string, given: unknown): Promise<PreparedToolInvocation> {
    const prepared = await this.find(name, given);
    const title = prepared.tool.title(prepared.input);
    const verdict = await this.classify(prepared);
    if (verdict.kind !== 'ask') return { invocationMessage: title };
    this.remember(keyOf(name, given));
    const message = [verdict.reason(), verdict.rule, escapeInvisibleText(title)].filter(Boolean).join('\n\n');
    return {
      invocationMessage: title,
      confirmationMessages: { title: 'Folio reads for another extension', message },
    };
  }

  /** Rejects with a sentence for the model. */
  async invoke(name: string, given: unknown, token: CancellationToken): Promise<LanguageModelToolResult> {
    const prepared = await this.find(name, given);
    const verdict = await this.classify(prepared);
    if (verdict.kind === 'deny') throw new Error(inEnglish(verdict.reason));
    // VS Code calls this only after the user approved what `prepare` asked.
    if (verdict.kind === 'ask' && !this.asked.delete(keyOf(name, given)))
      throw new Error(`A user must decide on this, and nobody was asked. ${inEnglish(verdict.reason)}`);
    const abort = new AbortController();
    const subscription = token.onCancellationRequested(() => abort.abort());
    try {
      if (token.isCancellationRequested) abort.abort();
      const { tool, input } = prepared;
      const call = { ...callOf(name, abort.signal), files: this.files };
      const { text, blobs = [] } = await tool.run(input, undefined, call);
      return new LanguageModelToolResult([
        new LanguageModelTextPart(cutMiddle(text, this.settings.get('toolOutputLimit'))),
        ...blobs.map(
          ({ mimeType, data }) => new LanguageModelDataPart(Buffer.from(data, 'base64'), mimeType),
        ),
      ]);
    } finally {
      subscription.dispose();
    }
  }

  private async find(name: string, given: unknown): Promise<Prepared> {
    const { policy, tools } = this.make();
    const tool = tools.find(each => each.name === name);
    if (!tool) throw new Error(`There is no tool folio_${name}.`);
    const parsed: z.ZodSafeParseResult<unknown> = tool.input().safeParse(given);
    if (!parsed.success) {
      const [issue] = parsed.error.issues;
      throw new Error(`${issue?.path.join('.') || 'The input'} is not as declared: ${issue?.message}`);
    }
    const { target } = await tool.prepare(parsed.data, callOf(name, new AbortController().signal));
    return { policy, tool, input: parsed.data, target };
  }

  /** Made again for each call, since folders and rules may change. */
  private make(): { readonly policy: Policy; readonly tools: readonly AnyTool[] } {
    const { files, search, clock, settings } = this;
    const paths = new WorkspacePaths(files, workspaceFolders());
    const tools = readOnlyTools({
      files,
      search,
      clock,
      paths,
      ignoredFolders: () => settings.get('ignoredFolders'),
      heedsGeminiIgnore: () => settings.get('respectGeminiIgnore'),
      ignoreFiles: () => settings.get('ignoreFiles'),
    });
    return { policy: this.makePolicy(paths), tools };
  }

  private classify({ policy, tool, input, target }: Prepared) {
    const { name, effect } = tool;
    return policy.classify({ tool: name, effect, target, args: input, mode: 'default' });
  }

  private remember(key: string): void {
    this.asked.add(key);
    const [oldest] = this.asked;
    if (this.asked.size > maxAsked && oldest !== undefined) this.asked.delete(oldest);
  }
}

function keyOf(name: string, given: unknown): string {
  return canonicalJson([name, given]);
}

function callOf(name: string, signal: AbortSignal): CallContext {
  return { callId: `folio_${name}`, signal, write: () => {}, saveOutput: async () => undefined };
}

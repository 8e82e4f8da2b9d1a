/* What goes to the model: the history as it is sent, the system prompt and the tools on offer. */

import type { Message } from '../../../protocol/events.ts';
import { declareTool } from '../calls/declarations.ts';
import { Masking, type MaskingPorts } from '../context/masking.ts';
import type { History } from '../history/history.ts';
import type { ModelRequest, ToolDeclaration } from '../model.ts';
import type { AnyTool } from '../tool.ts';

export class Requests {
  /** All tools by name; what the model calls may have been on offer a moment ago. */
  readonly known: ReadonlyMap<string, AnyTool>;
  private readonly history: History;
  private readonly tools: readonly AnyTool[];
  private readonly masking: Masking;
  /** Masking takes one call at a time; a compression may ask while a turn does. */
  private masked: Promise<readonly Message[]> = Promise.resolve([]);
  private declared: { readonly names: string; readonly list: readonly ToolDeclaration[] } | undefined;
  private sent: ModelRequest | undefined;

  constructor(history: History, tools: readonly AnyTool[], ports: MaskingPorts) {
    this.history = history;
    this.tools = tools;
    this.known = new Map(tools.map(tool => [tool.name, tool]));
    this.masking = new Masking(ports);
  }

  /** The newest request of this run of the host. */
  get newest(): ModelRequest | undefined {
    return this.sent;
  }

  /** Tools that the model may use now, by name. */
  get offered(): ReadonlyMap<string, AnyTool> {
    const offered = this.tools.filter(({ isOffered }) => isOffered?.() ?? true);
    return new Map(offered.map(tool => [tool.name, tool]));
  }

  /** The history's messages with old, long results masked; one for each. Never rejects. */
  messages(): Promise<readonly Message[]> {
    const { history, masking } = this;
    this.masked = this.masked.then(async () => [...(await masking.apply(history.messages))]);
    return this.masked;
  }

  /** The same as the newest request carried them, without making anything. */
  shownOf(messages: readonly Message[]): readonly Message[] {
    return this.masking.shownOf(messages);
  }

  /** The same list as long as the same tools are on offer, so that providers can cache it. */
  declarations(): readonly ToolDeclaration[] {
    const { offered } = this;
    const names = [...offered.keys()].join();
    if (this.declared?.names !== names)
      this.declared = { names, list: [...offered.values()].map(declareTool) };
    return this.declared.list;
  }

  async compose(model: string, system: () => string, signal: AbortSignal): Promise<ModelRequest> {
    const messages = this.history.forRequest(await this.messages());
    return { model, system: system(), messages, tools: this.declarations(), signal };
  }

  sending(request: ModelRequest): void {
    this.sent = request;
  }
}

import type { SessionState } from '../../../protocol/state.ts';
import type { SystemPromptComposer } from '../conversation/conversation.ts';
import type { RequestComposer } from '../conversation/requestComposer.ts';
import type { Routing } from '../routing/routing.ts';
import type { ComposePrompt, SessionFacts, SystemPromptReader } from './promptReader.ts';
import type { PromptFacts } from './sections/facts.ts';

interface SessionPromptSources {
  readonly transcript: { readonly state: SessionState };
  readonly routing: Pick<Routing, 'working'>;
  readonly requests: Pick<RequestComposer, 'offered'>;
}

/** The system prompt of a session. Its files are read once per turn. */
export class SessionPrompt implements SystemPromptComposer {
  private readonly reader: SystemPromptReader;
  private readonly sources: SessionPromptSources;
  private composing: ComposePrompt = () => '';

  constructor(reader: SystemPromptReader, sources: SessionPromptSources) {
    this.reader = reader;
    this.sources = sources;
  }

  /** Reads the files for a turn. */
  async read(): Promise<void> {
    this.composing = await this.reader.read(this.facts());
  }

  compose(toolNames: readonly string[]): string {
    return this.composing(this.facts(toolNames));
  }

  /** Composes another prompt from the files read for the running turn. */
  composeFor(facts: SessionFacts, write: (facts: PromptFacts) => string): string {
    return this.composing(facts, write);
  }

  async preview(): Promise<string> {
    const compose = await this.reader.read(this.facts());
    return compose(this.facts());
  }

  private facts(toolNames: readonly string[] = [...this.sources.requests.offered.keys()]): SessionFacts {
    const { transcript, routing } = this.sources;
    return { mode: transcript.state.mode, model: routing.working, toolNames };
  }
}

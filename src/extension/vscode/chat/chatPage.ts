import type { TranscriptPlace } from '../../../protocol/panel/messages.ts';

/** Leads into the panel: to a session, without its id to the shown one, and there to a place, if one is named. */
export interface SessionPlace {
  readonly sessionId?: string;
  readonly place?: TranscriptPlace;
}

/** One answer in a chat outside of the panel. Everything stands there in the order of the calls; nothing is undone. */
export interface ChatPage {
  /** A piece of Markdown of the model's. */
  write(markdown: string): void;
  /** A sentence of Folio's own, which may name what others have written. */
  say(sentence: string): void;
  /** A heading that leads to its place. */
  head(title: string, target: SessionPlace): void;
  /** A button that leads to its place. */
  lead(label: string, target: SessionPlace): void;
  /** The work of the moment. */
  reportProgress(work: string): void;
  /** @param path absolute, of a changed file */
  showChanged(path: string): void;
}

import { type ReadonlySignal, signal } from '@preact/signals';

type Highlighter = typeof import('./highlight.ts');

const loaded = signal<Highlighter | undefined>(undefined);

/** The highlighter, once the first code block has asked for it and its chunk has arrived. */
export const highlighter: ReadonlySignal<Highlighter | undefined> = loaded;

export async function loadHighlighter(): Promise<void> {
  loaded.value ??= await import('./highlight.ts');
}

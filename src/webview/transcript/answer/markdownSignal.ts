import { type ReadonlySignal, signal } from '@preact/signals';

export type Markdown = typeof import('./markdown.ts');

const loaded = signal<Markdown | undefined>(undefined);

/** The renderer, once its chunk has arrived. Until then answers are shown as plain text. */
export const markdown: ReadonlySignal<Markdown | undefined> = loaded;

export async function loadMarkdown(): Promise<void> {
  loaded.value ??= await import('./markdown.ts');
}

import { type CancellationToken, type LanguageModelTool, lm } from 'vscode';
import { type Disposable, DisposableStore } from '../../../base/disposable.ts';
import type { ExposedTools } from './exposedTools.ts';

/** Declared in package.json under `languageModelTools`. */
const offeredNames = ['list_directory', 'glob', 'grep_search', 'read_file', 'read_many_files'] as const;

/** Offers Folio's reading tools to every user of VS Code's tool API. Loaded with the first call. */
export function registerExposedTools(load: () => Promise<ExposedTools>): Disposable {
  const store = new DisposableStore();
  for (const name of offeredNames) {
    const tool: LanguageModelTool<unknown> = {
      prepareInvocation: async ({ input }: { readonly input: unknown }) =>
        (await load()).prepare(name, input),
      invoke: async ({ input }: { readonly input: unknown }, token: CancellationToken) =>
        (await load()).invoke(name, input, token),
    };
    store.add(lm.registerTool(`folio_${name}`, tool));
  }
  return store;
}

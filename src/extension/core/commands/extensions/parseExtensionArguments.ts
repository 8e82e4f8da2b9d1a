import { parseOptions } from '../options.ts';

/** Arguments of `/extensions install` and similar commands. */
export interface ExtensionArguments {
  readonly names: readonly string[];
  readonly ref?: string;
  /** `--yes`: the user agrees in advance. */
  readonly agreed: boolean;
  /** `--workspace`. */
  readonly inWorkspace: boolean;
}

export function parseExtensionArguments(argument: string): ExtensionArguments {
  const parsed = parseOptions(argument, ['ref'], ['workspace', 'yes']);
  const { names, texts, flags } = parsed;
  return { names, ref: texts.ref, agreed: flags.has('yes'), inWorkspace: flags.has('workspace') };
}

import { parseOptions } from '../options.ts';

/** The words and options behind `/extensions install` and the like. */
export interface Words {
  readonly names: readonly string[];
  /** `--ref`. */
  readonly ref?: string;
  /** `--yes`: the user agrees in advance. */
  readonly agreed: boolean;
  /** `--workspace`. */
  readonly inWorkspace: boolean;
}

export function parseWords(argument: string): Words {
  const parsed = parseOptions(argument, ['ref'], ['workspace', 'yes']);
  const { names, texts, flags } = parsed;
  return { names, ref: texts.ref, agreed: flags.has('yes'), inWorkspace: flags.has('workspace') };
}

import { oneLine } from '../../../base/text.ts';
import { type Refusal, refuse } from '../commands.ts';
import { splitWords } from '../template/words.ts';

/** What stands behind `/extensions` or a command like it. */
export interface Words {
  /** What is to be done; empty: nothing was said. */
  readonly verb: string;
  readonly names: readonly string[];
  /** `--ref`. */
  readonly ref?: string;
  /** `--yes`: the person agrees beforehand. */
  readonly agreed: boolean;
  /** `--workspace`. */
  readonly inWorkspace: boolean;
}

export function parseWords(argument: string): Words | Refusal {
  const names: string[] = [];
  let ref: string | undefined;
  let agreed = false;
  let inWorkspace = false;
  const words = splitWords(argument);
  for (let at = 0; at < words.length; at++) {
    const word = words[at]!;
    if (word === '--yes') agreed = true;
    else if (word === '--workspace') inWorkspace = true;
    else if (word === '--ref') {
      ref = words[++at];
      if (ref === undefined) return refuse('Behind --ref stands a branch, a tag or a commit.');
    } else if (word.startsWith('-')) {
      return refuse(`There is no option ${oneLine(word, 60)}: use --ref REF, --workspace or --yes.`);
    } else names.push(word);
  }
  const [verb = '', ...rest] = names;
  return { verb, names: rest, ref, agreed, inWorkspace };
}

import type { CommandForm, FormWord } from '../../shell/classify/formParser.ts';
import { mayShiftArguments } from '../../shell/classify/formParser.ts';

/** `maybe`: depends on words that are known only at run time. */
export type MatchCertainty = 'yes' | 'maybe' | 'no';

/** Tells whether a command starts with the wanted words and has the wanted options. */
export function matchForm(command: CommandForm, wanted: CommandForm): MatchCertainty {
  return weakerMatch(matchWords(command, wanted), matchOptions(command, wanted));
}

function matchWords({ words, anyOrder }: CommandForm, wanted: CommandForm): MatchCertainty {
  const { isStart } = wanted;
  const names = wanted.words.map(({ word }) => (word.kind === 'plain' ? word.value : word.text));
  let found: MatchCertainty = 'no';
  // Certainty per number of wanted words matched so far. After an uncertain word, several numbers are possible.
  let reached = new Map<number, MatchCertainty>([[0, 'yes']]);
  for (const each of words) {
    const next = new Map<number, MatchCertainty>();
    for (const [count, sure] of reached) {
      for (const [more, how] of steps(each, { names, count, anyOrder, isStart }))
        next.set(more, strongerMatch(next.get(more) ?? 'no', weakerMatch(sure, how)));
    }
    found = strongerMatch(found, next.get(names.length) ?? 'no');
    next.delete(names.length);
    reached = next;
    if (reached.size === 0) break;
  }
  return found;
}

interface Place extends Pick<CommandForm, 'anyOrder' | 'isStart'> {
  readonly names: readonly string[];
  /** Number of wanted words matched so far. */
  readonly count: number;
}

/** Yields the possible numbers of matched words after one more word of the command. */
function* steps(
  { word, mayBeValue }: FormWord,
  { names, count, anyOrder, isStart }: Place,
): Generator<readonly [number, MatchCertainty]> {
  const wanted = names[count] ?? '';
  const mayGoOn = isStart && count === names.length - 1;
  if (word.kind === 'plain') {
    if (word.value === wanted || (mayGoOn && word.value.startsWith(wanted))) yield [count + 1, 'yes'];
    if (mayBeValue || (anyOrder && count > 0)) yield [count, 'yes'];
    return;
  }
  const start = word.kind === 'unknown' ? word.prefix : word.value.replace(/[*?[].*$/s, '');
  const isOne = word.kind === 'unknown' && word.single;
  const isPossible = wanted.startsWith(start) || (mayGoOn && start.startsWith(wanted));
  if (isPossible) yield [isOne ? count + 1 : names.length, 'maybe'];
  if (mayBeValue || mayShiftArguments(word)) yield [count, mayBeValue ? 'yes' : 'maybe'];
}

function matchOptions({ options, mayHaveMore }: CommandForm, wanted: CommandForm): MatchCertainty {
  return wanted.options.reduce<MatchCertainty>((sure, option) => {
    const same = options.filter(({ name }) => name === option.name);
    const isSame = same.some(({ value }) => option.value === undefined || value === option.value);
    const isOpen = mayHaveMore || same.some(each => 'value' in each && each.value === undefined);
    return weakerMatch(sure, isSame ? 'yes' : isOpen ? 'maybe' : 'no');
  }, 'yes');
}

export function weakerMatch(one: MatchCertainty, other: MatchCertainty): MatchCertainty {
  if (one === 'no' || other === 'no') return 'no';
  return one === 'maybe' || other === 'maybe' ? 'maybe' : 'yes';
}

export function strongerMatch(one: MatchCertainty, other: MatchCertainty): MatchCertainty {
  if (one === 'yes' || other === 'yes') return 'yes';
  return one === 'maybe' || other === 'maybe' ? 'maybe' : 'no';
}

/* Checks patterns before they run in the extension host, since others may have written their files. */

import { t } from '../../../protocol/language.ts';

const longest = 2048;

/** Returns why a pattern is rejected; `undefined`: it is safe to run. */
export function findPatternProblem(source: string): string | undefined {
  if (source.length > longest)
    return t('it has {0} characters, and at most {1} are allowed', source.length, longest);
  if (hasNestedRepetition(source))
    return t('it repeats a group that itself repeats or branches, which may never finish');
  try {
    new RegExp(source);
    return undefined;
  } catch {
    return t('it is not a valid regular expression');
  }
}

/** `(a+)+` and `(a|ab)*`: a repeated group that can match one text in many ways. */
function hasNestedRepetition(source: string): boolean {
  const groups: boolean[] = [false];
  for (let at = 0; at < source.length; at++) {
    const letter = source[at];
    if (letter === '\\') at++;
    else if (letter === '[') at = endOfClass(source, at);
    else if (letter === '(') groups.push(false);
    else if (letter === ')') {
      const isLoose = groups.length > 1 && groups.pop();
      const isRepeated = /^(?:[*+]|\{\d*,\d*\}|\{\d\d+\})/.test(source.slice(at + 1, at + 20));
      if (isLoose && isRepeated) return true;
      if (isLoose || isRepeated) groups[groups.length - 1] = true;
    } else if (letter === '|' && groups.length > 1) groups[groups.length - 1] = true;
    else if (letter === '*' || letter === '+' || (letter === '{' && /^\{\d+,/.test(source.slice(at))))
      groups[groups.length - 1] = true;
  }
  return false;
}

function endOfClass(source: string, start: number): number {
  for (let at = start + 1; at < source.length; at++) {
    if (source[at] === '\\') at++;
    else if (source[at] === ']' && at > start + 1) return at;
  }
  return source.length;
}

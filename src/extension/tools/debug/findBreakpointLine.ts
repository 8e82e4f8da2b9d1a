/* Finds the line of a breakpoint. A model names a function or the text of a line, since it may miscount numbers. */

import { formatQuantity, headOf } from '../../base/text.ts';

/** The line from 1, or a sentence for the model. */
type FoundLine = { readonly line: number } | { readonly problem: string };

const maxListed = 10;

/**
 * @param at name of a function, text of a line, or an entry of the list of candidates (`12: return x`)
 * @param path for messages
 */
export function findBreakpointLine(text: string, at: string, path: string): FoundLine {
  const lines = text.split(/\r?\n/);
  const wanted = at.trim();
  if (wanted === '') return { problem: 'A breakpoint needs the name of a function or the text of a line.' };
  const listed = /^(\d+):\s?(.*)$/.exec(wanted);
  const named = listed ? Number(listed[1]) : 0;
  if (listed && lines[named - 1]?.includes(listed[2]!.trim())) return { line: named };
  const candidates = candidatesIn(lines, wanted);
  const [only] = candidates;
  if (only === undefined)
    return { problem: `No line of ${path} has the text ${JSON.stringify(headOf(wanted, 200))}.` };
  if (candidates.length === 1) return { line: only + 1 };
  const list = candidates.slice(0, maxListed).map(at => `${at + 1}: ${headOf(lines[at]!.trim(), 120)}`);
  return {
    problem: `${formatQuantity(candidates.length, 'line')} of ${path} could be meant. Give one of these as it stands here:\n${list.join('\n')}`,
  };
}

/** Returns line indexes: functions of that name first, then lines that equal the text, then lines that contain it. */
function candidatesIn(lines: readonly string[], wanted: string): readonly number[] {
  const functions = functionsCalled(lines, wanted);
  if (functions.length > 0) return functions;
  const indexes = lines.map((_line, index) => index);
  const same = indexes.filter(index => lines[index]!.trim() === wanted);
  return same.length > 0 ? same : indexes.filter(index => lines[index]!.includes(wanted));
}

/** Returns the first lines of their bodies. */
function functionsCalled(lines: readonly string[], wanted: string): readonly number[] {
  const name = /^(?:[\w$]+[.#])*([\w$]+)(?:\(\))?$/.exec(wanted)?.[1];
  if (name === undefined) return [];
  const word = name.replaceAll('$', '\\$');
  const definitions = [
    `\\b(?:function\\s*\\*?|def|func|fn|fun|sub)\\s+(?:\\([^)]*\\)\\s*)?${word}(?![\\w$])`,
    `(?<![\\w$.])${word}\\s*[:=]\\s*(?:async\\s*)?(?:function\\b|\\([^;]*$|\\(.*=>|[\\w$]+\\s*=>)`,
    // A method, or a function in a language that puts the type first.
    `^\\s*(?:[\\w<>\\[\\],*&:]+\\s+)*[*#]?${word}\\s*\\([^;]*\\{[^;]*$`,
  ].map(source => new RegExp(source));
  const begins = lines.flatMap((line, index) =>
    definitions.some(each => each.test(line)) && !isStatement(line) ? [index] : [],
  );
  return begins.map(index => bodyOf(lines, index));
}

/** A call before a block looks like a method. */
function isStatement(line: string): boolean {
  return /^\s*(?:if|for|while|switch|return|await|else|new|throw|catch)\b/.test(line);
}

/** Lines that a signature may span. */
const maxSignature = 12;

function bodyOf(lines: readonly string[], begin: number): number {
  for (let at = begin; at < Math.min(lines.length, begin + maxSignature); at++) {
    const opened = /(?:\{|=>|:)\s*(?:(?:\/\/|#).*)?$/.test(lines[at]!);
    if (opened) return firstStatement(lines, at + 1) ?? begin;
    if (/(?:\{|=>)/.test(lines[at]!)) return at;
  }
  return begin;
}

function firstStatement(lines: readonly string[], from: number): number | undefined {
  const isCode = (line: string) => line.trim() !== '' && !/^\s*(?:\/\/|\/?\*|#(?!\w*!)|""")/.test(line);
  const found = lines.slice(from).findIndex(isCode);
  return found < 0 ? undefined : from + found;
}

/*
 * Parses and verifies the model's proposals: quotes must exist at the given place, steps of a skill must have succeeded
 * three times, and nothing may contain a secret.
 */

import * as z from 'zod';
import { lazySchema } from '../../../../protocol/lazySchema.ts';
import type { InboxEvidence, InboxFact, InboxSkill } from '../../../../protocol/panel/inbox.ts';
import { hasInvisibleText } from '../../../base/hiddenText.ts';
import { tryParseJson } from '../../../base/record.ts';
import { maxFactLength, sanitiseFact } from '../../../base/rememberedFacts.ts';
import { sanitiseLine } from '../../../base/text.ts';
import type { KnownFacts } from './proposalPrompt.ts';
import { isKnownFact } from './sameFact.ts';
import { type CallRecord, type EvidenceRecord, holdsSecret } from './unreviewedPart.ts';

type Own<T> = Omit<T, 'number' | 'at' | 'sessionId' | 'session'>;
export type InboxProposal = Own<InboxFact> | Own<InboxSkill>;

export const maxFacts = 5;
const leastRounds = 3;
const maxStepsLength = 6_000;
const maxQuoteLength = 240;

const answer = lazySchema(() => {
  const evidence = z.strictObject({
    at: z.string().regex(/^[PC][1-9]\d*$/),
    quote: z.string().min(1).max(1000),
  });
  const fact = z.strictObject({
    kind: z.enum(['command', 'convention', 'correction']),
    fact: z.string().min(1).max(maxFactLength),
    evidence: z.array(evidence).min(1).max(10),
  });
  const skill = z.strictObject({
    name: z.string().regex(/^[a-z0-9][a-z0-9_-]{0,63}$/),
    description: z.string().min(1).max(500),
    steps: z.string().min(1).max(maxStepsLength),
    rounds: z
      .array(
        z
          .array(z.string().regex(/^C[1-9]\d*$/))
          .min(1)
          .max(30),
      )
      .max(30),
  });
  return z.strictObject({ facts: z.array(fact).max(20), skills: z.array(skill).max(5) });
});

type Answer = z.infer<ReturnType<typeof answer>>;

/** Returns `undefined` for an answer of the wrong shape, which is dropped completely. */
export function parseProposals(
  text: string,
  places: readonly EvidenceRecord[],
  known: KnownFacts,
): readonly InboxProposal[] | undefined {
  const parsed = answer().safeParse(parseJson(text));
  if (!parsed.success) return undefined;
  const proposals: InboxProposal[] = [];
  const lines = [...known.memory, ...known.decided];
  for (const each of parsed.data.facts) {
    const fact = proposals.length < maxFacts ? checkFact(each, places) : undefined;
    if (!fact || isKnownFact(fact.text, lines)) continue;
    lines.push(fact.text);
    proposals.push(fact);
  }
  const skill = parsed.data.skills
    .map(each => checkSkill(each, places))
    .find(
      each => each && !known.skills.includes(each.name) && !isKnownFact(proposalTitle(each), known.decided),
    );
  return skill ? [...proposals, skill] : proposals;
}

/** The text stored with a decision. */
export function proposalTitle(proposal: InboxProposal): string {
  return proposal.kind === 'fact' ? proposal.text : `skill ${proposal.name}: ${proposal.description}`;
}

/** Parses one JSON object and ignores text around it. */
function parseJson(text: string): unknown {
  return tryParseJson(text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1));
}

function checkFact(
  { kind, fact, evidence: given }: Answer['facts'][number],
  places: readonly EvidenceRecord[],
): Own<InboxFact> | undefined {
  if (hasInvisibleText(fact)) return undefined;
  const text = sanitiseFact(fact);
  if (text === '' || holdsSecret(fact)) return undefined;
  const evidence = given.flatMap(each => findQuote(each, places) ?? []);
  const byUserOrWork = evidence.filter(({ source }) => source !== 'output');
  // A command only counts if it ran or the user named it.
  if (evidence.length === 0 || (kind === 'command' && byUserOrWork.length === 0)) return undefined;
  return { kind: 'fact', text, evidence, onlyFromOutput: byUserOrWork.length === 0 || undefined };
}

/** Returns `undefined` if the quote does not occur there. */
function findQuote(
  { at, quote }: Answer['facts'][number]['evidence'][number],
  places: readonly EvidenceRecord[],
): InboxEvidence | undefined {
  const kind = at.startsWith('P') ? 'prompt' : 'call';
  const number = Number(at.slice(1));
  const place = places.find(each => each.kind === kind && each.number === number);
  const wanted = folded(quote);
  if (!place || place.kind === 'answer' || wanted.length < 3 || holdsSecret(quote)) return undefined;
  const source = sourceOf(place, wanted);
  return source && { source, number, quote: sanitiseLine(quote, maxQuoteLength) };
}

function sourceOf(
  place: Exclude<EvidenceRecord, { kind: 'answer' }>,
  wanted: string,
): InboxEvidence['source'] | undefined {
  const isSaid = folded(place.text).includes(wanted);
  if (place.kind === 'prompt') return isSaid ? 'prompt' : undefined;
  if (isSaid && place.ok) return 'call';
  return folded(place.output).includes(wanted) ? 'output' : undefined;
}

/** Models do not always copy blanks and case exactly. */
function folded(text: string): string {
  return text.toLowerCase().replace(/\s+/g, ' ').trim();
}

function checkSkill(
  { name, description, steps, rounds }: Answer['skills'][number],
  places: readonly EvidenceRecord[],
): Own<InboxSkill> | undefined {
  if ([name, description, steps].some(text => holdsSecret(text) || hasInvisibleText(text))) return undefined;
  const done = readRounds(rounds, places);
  if (!done) return undefined;
  const evidence = done.map(calls => ({
    source: 'call' as const,
    number: calls[0]!.number,
    quote: sanitiseLine(calls.map(({ text }) => text).join(' → '), maxQuoteLength),
  }));
  return { kind: 'skill', name, description: sanitiseLine(description, 300), text: steps.trim(), evidence };
}

/** Returns the rounds if the same steps really succeeded three times in a row and changed something. */
function readRounds(
  rounds: readonly (readonly string[])[],
  places: readonly EvidenceRecord[],
): readonly (readonly CallRecord[])[] | undefined {
  const calls = new Map(
    places.flatMap(place => (place.kind === 'call' ? [[`C${place.number}`, place]] : [])),
  );
  const done = rounds.map(round => round.flatMap(at => calls.get(at) ?? []));
  const [first = []] = done;
  const steps = first.map(({ step }) => step);
  const numbers = done.flat().map(({ number }) => number);
  const areReported = done.every((round, index) => round.length === rounds[index]!.length);
  const areInOrder = numbers.every((number, index) => index === 0 || number > numbers[index - 1]!);
  const areSame = done.every(round => round.map(({ step }) => step).join('\n') === steps.join('\n'));
  const haveWorked = done.flat().every(({ ok }) => ok) && first.some(({ acts }) => acts);
  const areEnough = done.length >= leastRounds && steps.length >= 2;
  return areReported && areInOrder && areSame && haveWorked && areEnough ? done : undefined;
}

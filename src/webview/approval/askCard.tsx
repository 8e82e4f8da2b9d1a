import { useSignal } from '@preact/signals';
import { escapeInvisibleText } from '../../extension/base/hiddenText.ts';
import type { Ask, AskSubject, FileDiff } from '../../protocol/asks.ts';
import { describeCounts } from '../../protocol/changes.ts';
import { plural, t } from '../../protocol/language.ts';
import type { PanelCall } from '../../protocol/panel/panelState.ts';
import type { AlwaysChoice } from '../../protocol/permissions.ts';
import {
  acceptAnywayLabels,
  acceptLabels,
  describeChoice,
  describeClassified,
} from '../../protocol/words/askWords.ts';
import { choicesOf } from '../../protocol/words/choices.ts';
import { DiffHead } from '../review/diffHead.tsx';
import { Card } from '../ui/card.tsx';
import { Button } from '../ui/controls.tsx';
import { Icon } from '../ui/icon.tsx';
import { Menu } from '../ui/menu.tsx';
import { acceptKeys } from '../ui/systemKeys.ts';
import { withElements } from '../ui/words.tsx';
import { AskSubjectView, Consequences } from './askSubject.tsx';
import { arrangeReasons, dangersOf, explainEachTime } from './askWords.ts';
import { alwaysKeys, terminalKeys } from './decisionKeys.ts';
import { type DecideAsk, DecisionRow, useDecide } from './decisionRow.tsx';
import { canChoose, countsOfTaken, HunkChoice, type LeftOut } from './hunkChoice.tsx';
import { PlanCard } from './planCard.tsx';
import { QuestionForm } from './questionForm.tsx';

interface AskCardProps {
  readonly call: PanelCall;
  readonly ask: Ask;
}

/** The ask of a call, the only strongly coloured element of the panel. */
export function AskCard({ call, ask }: AskCardProps) {
  const { id: key, subject } = ask;
  // A new key for each ask resets left-out hunks and an unfinished reason.
  if (subject.kind === 'questions') return <QuestionCard key={key} call={call} ask={ask} subject={subject} />;
  if (subject.kind === 'plan') return <PlanCard key={key} call={call} ask={ask} subject={subject} />;
  return <DecisionCard key={key} call={call} ask={ask} />;
}

function DecisionCard({ call, ask }: AskCardProps) {
  const left = useSignal<LeftOut>(new Set());
  const { decide, isHeld } = useDecide(call, ask);
  const { subject } = ask;
  const isDangerous = dangersOf(ask).length > 0;
  const name = nameOf(call, ask, left.value);
  return (
    <Card class={isDangerous ? 'ask danger' : 'ask'} name={name} ask={call.id} held={isHeld}>
      {subject.kind === 'edit' ? (
        <DiffHead call={call} path={subject.diff.path} counts={countsOfTaken(subject.diff, left.value)} />
      ) : (
        <div class="ask-title">
          <span class="two-lines" title={call.title}>
            {titleOf(call, ask)}
          </span>
        </div>
      )}
      {subject.kind === 'edit' && canChoose(subject.diff) ? (
        <HunkChoice diff={subject.diff} left={left.value} onChange={next => (left.value = next)} />
      ) : (
        <AskSubjectView ask={ask} />
      )}
      {isDangerous && <Danger ask={ask} />}
      <Consequences ask={ask} />
      <Why call={call} ask={ask} />
      <DecisionRow decide={decide}>
        <AcceptButton subject={subject} left={left.value} decide={decide} isDangerous={isDangerous} />
        {subject.kind === 'command' && subject.terminal === 'offered' && (
          <Button
            action="terminal"
            keys={terminalKeys}
            title={`${t('Runs it this once in a terminal, where you answer what it asks')} (${terminalKeys})`}
            onPress={() => decide({ kind: 'interactive' })}
          >
            {isDangerous ? t('Run in terminal anyway') : t('Run in terminal')}
          </Button>
        )}
        <LastingButtons ask={ask} decide={decide} isPart={left.value.size > 0} />
      </DecisionRow>
    </Card>
  );
}

/** Returns the title of an ask. It omits the command, which is shown below. */
function titleOf({ title }: PanelCall, { subject, commands = [] }: Ask): string {
  if (subject.kind === 'connect') return connectTitle(subject.hosts);
  if (subject.kind !== 'command') return title;
  const [beginning = ''] = /\S.{0,19}/.exec(subject.command) ?? [];
  if (!title.includes(beginning.trim())) return title;
  return commands.length > 1
    ? plural(commands.length, 'one: Run {0} command | other: Run {0} commands')
    : t('Run a command');
}

/** Warning directly below the command. */
function Danger({ ask }: { readonly ask: Ask }) {
  const { below } = arrangeReasons(ask);
  if (!below) return null;
  return (
    <div class="ask-why">
      <p class="ask-danger">
        <Icon name="warning" />
        <span>{below}</span>
      </p>
    </div>
  );
}

function Why({ call: { judged: classified }, ask }: AskCardProps) {
  const reason = dangersOf(ask).length > 0 ? '' : arrangeReasons(ask).below;
  const eachTime = explainEachTime(ask);
  if (!reason && !ask.rule && !classified && !eachTime) return null;
  return (
    <div class="ask-why">
      {reason && <p class="quiet">{reason}</p>}
      {ask.rule && <p class="quiet">{ask.rule}</p>}
      {classified && <p class="quiet">{describeClassified(classified)}</p>}
      {eachTime && <p class="quiet">{eachTime}</p>}
    </div>
  );
}

interface AcceptButtonProps {
  readonly subject: AskSubject;
  readonly left: LeftOut;
  readonly decide: DecideAsk;
  readonly isDangerous: boolean;
}

function AcceptButton({ subject, left, decide, isDangerous }: AcceptButtonProps) {
  if (subject.kind !== 'edit' || !canChoose(subject.diff))
    return (
      <Button
        kind={isDangerous ? 'secondary' : 'primary'}
        action="accept"
        keys={acceptKeys}
        onPress={() => decide({ kind: 'once' })}
      >
        {isDangerous ? acceptAnywayLabels()[subject.kind] : acceptLabels()[subject.kind]}
      </Button>
    );
  const accepted = takenOf(subject.diff, left);
  const all = subject.diff.hunks.length;
  return (
    <Button
      kind="primary"
      action="accept"
      keys={acceptKeys}
      disabled={accepted.length === 0}
      onPress={() => decide(left.size === 0 ? { kind: 'once' } : { kind: 'hunks', accepted })}
    >
      <span class="steady" data-widest={t('Accept {0} of {1}', all, all)}>
        {accepted.length === 0 || left.size === 0
          ? acceptLabels().edit
          : t('Accept {0} of {1}', accepted.length, all)}
      </span>
    </Button>
  );
}

function takenOf(diff: FileDiff, left: LeftOut): readonly number[] {
  return [...diff.hunks.keys()].filter(index => !left.has(index));
}

function nameOf(call: PanelCall, ask: Ask, left: LeftOut): string {
  const { subject, reason } = ask;
  if (subject.kind === 'edit') {
    return t('{0}, {1}, pending', call.title, describeCounts(countsOfTaken(subject.diff, left)));
  }
  const title = subject.kind === 'connect' ? t('Connect to {0}', subject.hosts.join(', ')) : call.title;
  return dangersOf(ask).length > 0
    ? t('{0}, dangerous, needs your decision. {1}', title, reason)
    : t('{0}, needs your decision. {1}', title, reason);
}

/** Names one host, or says how many are listed below. */
function connectTitle(hosts: readonly string[]): string {
  const [host = ''] = hosts;
  return hosts.length === 1
    ? t('Connect to {0}', host)
    : plural(hosts.length, 'one: Connect to {0} host | other: Connect to {0} hosts');
}

interface LastingButtonsProps {
  readonly ask: Ask;
  readonly decide: DecideAsk;
  /** True if hunks are left out. A rule cannot cover a part; the inert button stays, so nothing moves. */
  readonly isPart: boolean;
}

/** A button for a lasting permission, and a menu of all that says where each applies. */
function LastingButtons({ ask, decide, isPart }: LastingButtonsProps) {
  const choices = choicesOf(ask);
  const inWorkspace = choices.find(({ scope }) => scope === 'workspace');
  const pressed = inWorkspace ?? choices[0];
  if (!pressed) return null;
  const isOfArguments = ask.subject.kind === 'command' && pressed.label.includes('*');
  const meaning = `${describeChoice(pressed)}${isOfArguments ? `. ${t('* stands for any arguments')}` : ''}`;
  const allow = ({ id }: AlwaysChoice) => decide({ kind: 'always', choice: id });
  return (
    <span class="split-button" inert={isPart}>
      <Button
        action={inWorkspace && 'always'}
        disabled={isPart}
        keys={inWorkspace && alwaysKeys}
        title={inWorkspace ? `${meaning} (${alwaysKeys})` : meaning}
        onPress={() => allow(pressed)}
        onCommand={() => inWorkspace && allow(inWorkspace)}
      >
        {pressed.label}
      </Button>
      {choices.length > 1 && (
        <Menu
          label={t('All choices')}
          icon="chevron-down"
          groups={[
            choices.map(choice => ({
              label: describeChoice(choice),
              onPress: () => allow(choice),
            })),
          ]}
        />
      )}
    </span>
  );
}

interface QuestionCardProps {
  readonly call: PanelCall;
  readonly ask: Ask;
  readonly subject: Extract<AskSubject, { kind: 'questions' }>;
}

/** Questions of the agent or a server, to answer or skip. */
function QuestionCard({ call, ask, subject }: QuestionCardProps) {
  const { from } = subject;
  const decider = useDecide(call, ask);
  const count = subject.questions.length;
  return (
    <Card
      class="ask"
      name={t('{0}, needs your answer. {1}', call.title, ask.reason)}
      ask={call.id}
      held={decider.isHeld}
    >
      <div class="ask-title">
        {withElements(
          count === 1 ? t('{0} asks') : t('{0} asks {1} questions', '{0}', count),
          <bdi>{from ? t('The server {0}', escapeInvisibleText(from.server)) : 'Folio'}</bdi>,
        )}
      </div>
      {from?.message && <p class="ask-message">{escapeInvisibleText(from.message)}</p>}
      <QuestionForm formId={ask.id ?? call.id} decider={decider} questions={subject.questions} />
    </Card>
  );
}

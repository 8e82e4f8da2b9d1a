import { useSignal } from '@preact/signals';
import type { Ask, AskSubject, FileDiff } from '../../protocol/asks.ts';
import type { PanelDecision } from '../../protocol/messages.ts';
import type { CallItem } from '../../protocol/state.ts';
import { usePanel } from '../panel.ts';
import { DiffHead } from '../review/diffHead.tsx';
import { DiffLines } from '../review/diffLines.tsx';
import { Command } from '../transcript/calls/callDetail.tsx';
import { Card } from '../ui/card.tsx';
import { Button } from '../ui/controls.tsx';
import { DenyField } from './denyField.tsx';
import { canChoose, HunkChoice } from './hunkChoice.tsx';

/** What a call needs a person to decide: the one strong colour in the panel. */
export function AskCard({ call, ask }: { readonly call: CallItem; readonly ask: Ask }) {
  const { act } = usePanel();
  const isDenying = useSignal(false);
  const left = useSignal<ReadonlySet<number>>(new Set());
  const decide = (decision: PanelDecision) => {
    keepFocusInTranscript();
    act({ type: 'call.decide', callId: call.id, decision });
  };
  const { subject } = ask;
  return (
    <Card class="ask" name={nameOf(call, ask)} ask={call.id}>
      <div class="ask-title ellipsis" title={call.title}>
        {subject.kind === 'edit' ? (
          <DiffHead
            title={call.title}
            diff={subject.diff}
            onReview={() => act({ type: 'diff.open', callId: call.id })}
          />
        ) : (
          call.title
        )}
      </div>
      {subject.kind === 'edit' && canChoose(subject.diff) ? (
        <HunkChoice
          diff={subject.diff}
          left={left.value}
          onChange={next => {
            left.value = next;
          }}
        />
      ) : (
        <Subject subject={subject} />
      )}
      <p class="ask-reason">{ask.reason}</p>
      {isDenying.value ? (
        <DenyField
          onDeny={reason => decide(reason ? { kind: 'deny', reason } : { kind: 'deny' })}
          onCancel={() => {
            isDenying.value = false;
          }}
        />
      ) : (
        <div class="buttons">
          <AcceptButton subject={subject} left={left.value} decide={decide} />
          {/* A rule takes the whole of what it is about, never a part. */}
          {left.value.size === 0 &&
            ask.always.map(({ id, label }) => (
              <Button key={id} title={label} onPress={() => decide({ kind: 'always', choice: id })}>
                {label}
              </Button>
            ))}
          <Button
            action="reject"
            onPress={() => {
              isDenying.value = true;
            }}
          >
            Deny…
          </Button>
        </div>
      )}
    </Card>
  );
}

interface AcceptButtonProps {
  readonly subject: AskSubject;
  readonly left: ReadonlySet<number>;
  readonly decide: (decision: PanelDecision) => void;
}

function AcceptButton({ subject, left, decide }: AcceptButtonProps) {
  if (subject.kind !== 'edit' || left.size === 0)
    return (
      <Button kind="primary" action="accept" onPress={() => decide({ kind: 'once' })}>
        {verbs[subject.kind]}
      </Button>
    );
  const accepted = takenOf(subject.diff, left);
  return (
    <Button
      kind="primary"
      action="accept"
      disabled={accepted.length === 0}
      onPress={() => decide({ kind: 'hunks', accepted })}
    >
      {accepted.length === 0 ? 'Accept' : `Accept ${accepted.length} of ${subject.diff.hunks.length}`}
    </Button>
  );
}

function takenOf(diff: FileDiff, left: ReadonlySet<number>): readonly number[] {
  return [...diff.hunks.keys()].filter(index => !left.has(index));
}

const verbs: Readonly<Record<AskSubject['kind'], string>> = {
  edit: 'Accept',
  command: 'Run',
  fetch: 'Fetch',
  read: 'Allow',
  questions: 'Answer',
  plan: 'Approve',
  mode: 'Switch',
  other: 'Allow',
};

/** The card goes with the decision; who was on it with the keyboard can walk on from the transcript. */
function keepFocusInTranscript(): void {
  document.activeElement?.closest<HTMLElement>('[role=log]')?.focus({ preventScroll: true });
}

function nameOf(call: CallItem, { subject, reason }: Ask): string {
  if (subject.kind !== 'edit') return `${call.title}, needs your decision. ${reason}`;
  const { added, removed } = subject.diff;
  return `${call.title}, ${added} lines added, ${removed} removed, pending`;
}

function Subject({ subject }: { readonly subject: AskSubject }) {
  switch (subject.kind) {
    case 'edit':
      return <DiffLines diff={subject.diff} limit={12} />;
    case 'command':
      return (
        <>
          <Command command={subject.command} />
          <div class="ask-where ellipsis" title={subject.cwd}>
            in {subject.cwd}
            {subject.background && ', stays in the background'}
          </div>
        </>
      );
    case 'fetch':
      return (
        <ul class="ask-urls">
          {subject.urls.map(url => (
            <li key={url}>{url}</li>
          ))}
        </ul>
      );
    case 'other':
      return <p class="ask-detail">{subject.detail}</p>;
  }
}

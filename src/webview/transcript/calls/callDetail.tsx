import { t } from '../../../protocol/language.ts';
import type { PanelCall, PanelDetail } from '../../../protocol/panel/panelState.ts';
import { usePanel } from '../../panel/panel.ts';
import { DiffLines } from '../../review/diffLines.tsx';
import { LinkButton } from '../../ui/controls.tsx';
import { CommandText, Output } from '../../ui/output.tsx';
import { WholeTextButton } from '../../ui/wholeTextButton.tsx';
import { AgentReport } from './report.tsx';
import { TodoList } from './todoList.tsx';

/** Unfolded call: command and output, or the arguments. */
export function CallDetail({ call }: { readonly call: PanelCall }) {
  if (isAnswered(call)) return <Answered call={call} />;
  const command = typeof call.args.command === 'string' ? call.args.command : undefined;
  return (
    <div class="call-detail">
      {call.effect === 'run' && command !== undefined ? (
        <CommandText command={command} />
      ) : (
        <Arguments call={call} />
      )}
      <CallResult call={call} />
      <UndoCommand call={call} />
    </div>
  );
}

function UndoCommand({ call: { id, effect, status, title } }: { readonly call: PanelCall }) {
  const changed = status.kind === 'ended' ? (status.display.touched?.length ?? 0) : 0;
  return effect === 'run' && changed > 0 ? <UndoChangesButton callId={id} title={title} /> : null;
}

/** Button that undoes the file changes of a call or its subagent, but no later ones. */
export function UndoChangesButton({ callId, title }: { readonly callId: string; readonly title: string }) {
  const { act } = usePanel();
  const undo = () => act({ type: 'rewind.do', to: { kind: 'call', callId }, scope: 'files' });
  return (
    <LinkButton aria-label={t('Undo what “{0}” changed in files', title)} onClick={undo}>
      {t('Undo changes')}
    </LinkButton>
  );
}

export function hasDetail({ status, args, effect }: PanelCall): boolean {
  if (status.kind === 'ended' && status.display.detail) return true;
  return effect === 'run' || Object.keys(args).length > 0;
}

/** Returns true for an answered form, whose result has questions and answers. */
export function isAnswered({ decided, status }: PanelCall): boolean {
  return decided?.decision === 'answers' && status.kind === 'ended' && status.display.detail?.kind === 'text';
}

function Answered({ call }: { readonly call: PanelCall }) {
  const { status } = call;
  const detail = status.kind === 'ended' ? status.display.detail : undefined;
  if (detail?.kind !== 'text') return null;
  return (
    <div class="call-detail answered">
      {detail.text}
      <WholeTextButton item={{ id: call.id, cut: detail.cutLines !== undefined }} />
    </div>
  );
}

export function CallResult({ call }: { readonly call: PanelCall }) {
  const { status } = call;
  if (status.kind === 'running') return status.output ? <Output text={status.output} isLive /> : null;
  if (status.kind !== 'ended' || !status.display.detail) return null;
  return <Detail call={call} detail={status.display.detail} />;
}

function Detail({ call, detail }: { readonly call: PanelCall; readonly detail: PanelDetail }) {
  const { act } = usePanel();
  const openAll = () => act({ type: 'output.open', callId: call.id });
  switch (detail.kind) {
    case 'text':
      return <Output text={detail.text} openAll={openAll} {...moreOf(detail)} />;
    case 'command':
      // The summary says how the command ended.
      return detail.output ? <Output text={detail.output} openAll={openAll} {...moreOf(detail)} /> : null;
    case 'diff':
      return <DiffLines diff={detail.diff} limit={12} />;
    case 'todos':
      return <TodoList todos={detail.todos} />;
    case 'report':
      return <AgentReport callId={call.id} report={detail.report} />;
  }
}

function moreOf({ outputPath, cutLines }: Extract<PanelDetail, { kind: 'text' | 'command' }>) {
  return { isMore: outputPath !== undefined || cutLines !== undefined, cutLines };
}

function Arguments({ call }: { readonly call: PanelCall }) {
  const entries = Object.entries(call.args);
  if (entries.length === 0) return null;
  return (
    <dl class="arguments">
      {entries.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{typeof value === 'string' ? value : JSON.stringify(value)}</dd>
        </div>
      ))}
    </dl>
  );
}

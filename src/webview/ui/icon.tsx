/** Names that `codicon.css` knows. */
export type IconName =
  | 'add'
  | 'arrow-down'
  | 'arrow-left'
  | 'check'
  | 'chevron-down'
  | 'chevron-right'
  | 'circle-filled'
  | 'circle-outline'
  | 'circle-slash'
  | 'close'
  | 'copy'
  | 'debug-stop'
  | 'diff'
  | 'discard'
  | 'edit'
  | 'ellipsis'
  | 'error'
  | 'export'
  | 'file'
  | 'file-media'
  | 'fold'
  | 'folder'
  | 'globe'
  | 'go-to-file'
  | 'info'
  | 'lightbulb'
  | 'loading'
  | 'pin'
  | 'pinned'
  | 'question'
  | 'selection'
  | 'send'
  | 'shield'
  | 'symbol-method'
  | 'terminal'
  | 'warning'
  | 'zap';

/** Decoration: what it says is also said in words nearby or in the control's name. */
export function Icon({ name, class: extra = '' }: { readonly name: IconName; readonly class?: string }) {
  return <span class={`codicon codicon-${name} ${extra}`} aria-hidden="true" />;
}

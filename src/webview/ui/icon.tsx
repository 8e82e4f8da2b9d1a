/** Names that `codicon.css` knows. */
export type IconName =
  | 'add'
  | 'arrow-down'
  | 'arrow-left'
  | 'check'
  | 'checklist'
  | 'chevron-down'
  | 'chevron-right'
  | 'circle-filled'
  | 'circle-outline'
  | 'circle-slash'
  | 'close'
  | 'copy'
  | 'debug-stop'
  | 'diff-multiple'
  | 'discard'
  | 'edit'
  | 'error'
  | 'file'
  | 'file-media'
  | 'go-to-file'
  | 'info'
  | 'lightbulb'
  | 'loading'
  | 'question'
  | 'selection'
  | 'send'
  | 'shield'
  | 'warning';

/** Decoration: what it says is also said in words nearby or in the control's name. */
export function Icon({ name, class: extra = '' }: { readonly name: IconName; readonly class?: string }) {
  return <span class={`codicon codicon-${name} ${extra}`} aria-hidden="true" />;
}

import { type IconName, icons } from './icons.ts';

/** Decoration: what it says is also said in words nearby or in the control's name. */
export function Icon({ name, class: extra = '' }: { readonly name: IconName; readonly class?: string }) {
  return <span class={`codicon codicon-${name} ${extra}`} data-icon={icons[name]} aria-hidden="true" />;
}

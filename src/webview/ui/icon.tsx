import { type IconName, icons } from './icons.ts';

/** Decorative icon, hidden from screen readers. Nearby text or the control's name says the same. */
export function Icon({ name, class: extra = '' }: { readonly name: IconName; readonly class?: string }) {
  return <span class={`codicon codicon-${name} ${extra}`} data-icon={icons[name]} aria-hidden="true" />;
}

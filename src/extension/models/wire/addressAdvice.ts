import { t } from '../../../protocol/language.ts';
/** How the addresses of a service look. */
export interface AddressForm {
  /** The setting that holds it. */
  readonly setting: string;
  /** The environment variable that counts where the setting is empty. */
  readonly variable: string;
  /** The common end of most of them; empty: there is none. */
  readonly ending: '' | '/v1';
  /** Matches what belongs to requests, and so not into the setting. */
  readonly excess: RegExp;
}

/**
 * Names where the address was set, within a sentence. The setting wins over the variable, as in `addressOf`.
 * @param address as it was set; empty: the service's own
 */
export function originOf(
  { setting, variable }: Pick<AddressForm, 'setting' | 'variable'>,
  address: string,
  env: Readonly<Record<string, string | undefined>> = process.env,
): string {
  const given = env[variable]?.trim().replace(/\/+$/, '');
  return address !== '' && given === address.replace(/\/+$/, '')
    ? t('the variable {0}', variable)
    : t('the setting {0}', setting);
}

/**
 * Advice about an address at which nobody speaks the service's protocol: a sentence without its full stop.
 * @param address as it was set; empty: the service's own
 */
export function addressAdvice(form: AddressForm, address: string): string {
  const { ending, excess } = form;
  const origin = originOf(form, address);
  const plain = address.replace(excess, '');
  if (plain !== address) return t('Correct {0}, which needs no more than {1}', origin, plain);
  const isShort = ending !== '' && address !== '' && !/\/v\d/.test(address);
  if (isShort) return t('Check {0}; most addresses end in {1}, as in {2}', origin, ending, address + ending);
  return t('Check {0}', origin);
}

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

/** Addresses that options of the command line give, each with the option's name. */
const givenByOption = new Map<string, string>();

/** Errors about the address name the option from now on. */
export function noteAddressOption(address: string, option: string): void {
  givenByOption.set(plain(address), option);
}

/**
 * Names where the address was set, within a sentence. An option wins over all, the setting over the variable.
 * @param address as it was set; empty: the service's own
 */
export function originOf(
  { setting, variable }: Pick<AddressForm, 'setting' | 'variable'>,
  address: string,
  env: Readonly<Record<string, string | undefined>> = process.env,
): string {
  const option = givenByOption.get(plain(address));
  if (option !== undefined) return t('the option {0}', option);
  return address !== '' && plain(env[variable] ?? '') === plain(address)
    ? t('the variable {0}', variable)
    : t('the setting {0}', setting);
}

function plain(address: string): string {
  return address.trim().replace(/\/+$/, '');
}

/**
 * Advice about an address at which nobody speaks the service's protocol: a sentence without its full stop.
 * @param address as it was set; empty: the service's own
 */
export function addressAdvice(form: AddressForm, address: string): string {
  const { ending, excess } = form;
  const origin = originOf(form, address);
  const shorter = address.replace(excess, '');
  if (shorter !== address) return t('Correct {0}, which needs no more than {1}', origin, shorter);
  const isShort = ending !== '' && address !== '' && !/\/v\d/.test(address);
  if (isShort) return t('Check {0}; most addresses end in {1}, as in {2}', origin, ending, address + ending);
  return t('Check {0}', origin);
}

import { useComputed } from '@preact/signals';
import { escapeInvisibleText } from '../../extension/base/hiddenText.ts';
import { t } from '../../protocol/language.ts';
import { effectiveModel, findAutoRoute } from '../../protocol/routes.ts';
import { autoModel } from '../../protocol/routing.ts';
import { effortRows } from '../../protocol/words/effortWords.ts';
import { describeModel } from '../../protocol/words/modelWords.ts';
import { modeWords } from '../../protocol/words/modeWords.ts';
import { useModelName, whyRouted } from '../models/modelNames.ts';
import { useDriver, usePanel } from '../panel/panel.ts';
import { Button, Picker, type PickerChoice } from '../ui/controls.tsx';
import { Icon } from '../ui/icon.tsx';

export function ModePicker() {
  const { store, act } = usePanel();
  const mode = useComputed(() => store.session.value?.mode ?? 'default');
  const pick = (value: string) => {
    const chosen = modeWords().find(each => each.value === value);
    if (chosen) act({ type: 'mode.set', mode: chosen.value });
  };
  const view = mode.value === 'yolo' ? 'danger' : '';
  const allowed = useComputed(() => store.environment.value?.modes).value;
  const choices = modeWords().map(each =>
    !allowed || each.value === 'plan' || allowed.includes(each.value)
      ? each
      : { ...each, hint: t('Managed by your organization'), isDisabled: true },
  );
  return (
    <Picker
      label={t('Approval mode')}
      value={mode.value}
      choices={choices}
      onPick={pick}
      class={`mode ${view}`}
    />
  );
}

/** Warning in the mode that allows all. Always rendered, since screen readers announce only changes of it. */
export function AllowAllWarning() {
  const { store, act } = usePanel();
  const isAlone = useComputed(() => store.session.value?.mode === 'yolo').value;
  return (
    <div class="acts-alone" role="status">
      {isAlone && (
        <>
          <Icon name="warning" />
          <span class="ellipsis">{t('Running without approval')}</span>
          <Button onPress={() => act({ type: 'mode.set', mode: 'default' })}>
            {t('Switch to Ask first')}
          </Button>
        </>
      )}
    </div>
  );
}

/** Picker of `auto` and the provider's models. VS Code's picker has all others. */
export function ModelPicker() {
  const { store, act } = usePanel();
  const name = useModelName();
  const model = useComputed(() => store.session.value?.model ?? '').value;
  const routed = useComputed(() => store.session.value && findAutoRoute(store.session.value)).value;
  const models = useComputed(() => store.environment.value?.models ?? []).value;
  const driver = useDriver();
  if (driver !== undefined) return <DriverPickers driver={driver} />;
  if (store.environment.value?.connection === 'rehearsal')
    return <span class="picker-text ellipsis">{t('Rehearsal')}</span>;
  if (store.environment.value?.connection === 'none') return <NoModel />;
  if (model === '') return null;
  const auto = routed ? t('Auto · {0}', name(routed.model)) : t('Auto');
  const choices: PickerChoice[] = [
    { value: autoModel, label: auto, spare: familyIn(auto), hint: t('Chooses for each turn') },
    ...models.map(each => ({
      value: each.id,
      label: each.label,
      ...nameOf(each.label),
      hint: `${each.id} · ${describeModel(each)}`,
    })),
  ];
  // A model of the settings may be missing in the list.
  if (!choices.some(each => each.value === model))
    choices.splice(1, 0, { value: model, label: model, ...nameOf(model) });
  const pick = (value: string) => {
    store.choosingModel.value = value;
    act({ type: 'model.set', model: value });
  };
  return (
    <Picker
      class="model"
      label={t('Model')}
      value={model}
      choices={choices}
      why={routed && whyRouted(routed)}
      more={{ label: t('More…'), onPress: () => act({ type: 'model.select' }) }}
      onPick={pick}
    />
  );
}

/** Name and options of an external agent. */
function DriverPickers({ driver }: { readonly driver: string }) {
  const { store, act } = usePanel();
  const options = useComputed(() => store.session.value?.driver?.options ?? []).value;
  return (
    <>
      <span class="picker-text ellipsis" title={t('{0} runs this session with its own model.', driver)}>
        {driver}
      </span>
      {options.map(({ id, name, value, values }) => (
        <Picker
          key={id}
          class="model of-driver"
          label={`${driver}: ${escapeInvisibleText(name)}`}
          value={value}
          choices={values.map(each => ({ ...each, label: escapeInvisibleText(each.label) }))}
          onPick={picked => act({ type: 'agent.set', option: id, value: picked })}
        />
      ))}
    </>
  );
}

/** Shown while no model is connected. */
function NoModel() {
  const { store } = usePanel();
  return (
    <button
      type="button"
      class="picker-text no-model ellipsis"
      title={t('No model is connected yet.')}
      onClick={() => (store.view.value = 'connect')}
    >
      {t('Connect…')}
    </button>
  );
}

/** Returns the name after the path that routers put before it. */
function nameOf(label: string) {
  const short = label.slice(label.lastIndexOf('/') + 1) || label;
  return { short, spare: familyIn(short) };
}

/** Returns `Gemini ` in `Gemini 2.5 Flash`, and `gpt-` in `gpt-5`. It says less than the version, which `qwen2.5-coder` has in it. */
function familyIn(name: string): string | undefined {
  return /^(?:.* · )?([^\s\d-]+[\s-])(?=.)/.exec(name)?.[1];
}

/**
 * Picker of the effort, which is set for each model. It follows the chosen model before the host has confirmed it.
 */
export function EffortPicker() {
  const { store, act } = usePanel();
  const model = useComputed(() => {
    const session = store.session.value;
    const chosen = store.choosingModel.value ?? session?.model ?? '';
    return effectiveModel({ model: chosen, routed: session?.routed }) ?? '';
  }).value;
  const models = useComputed(() => store.environment.value?.models ?? []).value;
  const efforts = useComputed(() => store.environment.value?.efforts ?? {}).value;
  const { efforts: steps = [] } = models.find(({ id }) => id === model) ?? {};
  const isDriven = useDriver() !== undefined;
  if (steps.length === 0 || isDriven || store.environment.value?.connection !== 'key') return null;
  const rows = effortRows(steps, model, efforts);
  const pick = (value: string) =>
    act({ type: 'effort.set', model, effort: steps.find(step => step === value) });
  return (
    <Picker
      class="effort"
      label={t('Effort')}
      value={rows.find(({ isCurrent }) => isCurrent)?.effort ?? unset}
      choices={rows.map(({ label, short, effort = unset }) => ({ value: effort, label, short }))}
      onPick={pick}
    />
  );
}

const unset = 'unset';

import { Monitor, Moon, Sun } from 'lucide-react'

export type ThemeChoice = 'light' | 'dark' | 'system'

const choices = [
  { value: 'light', label: 'Light', Icon: Sun },
  { value: 'dark', label: 'Dark', Icon: Moon },
  { value: 'system', label: 'System', Icon: Monitor },
] as const

/** The owner stores the choice and sets data-theme. */
export function ThemeToggle({ value, onChange }: { value: ThemeChoice; onChange: (value: ThemeChoice) => void }) {
  return (
    <fieldset aria-label="Theme" className="inline-flex rounded-full border border-current/25 p-0.5">
      {choices.map(({ value: choice, label, Icon }) => (
        <button
          key={choice}
          type="button"
          aria-pressed={value === choice}
          aria-label={label}
          title={label}
          onClick={() => onChange(choice)}
          className="grid size-11 cursor-pointer place-items-center rounded-full hover:bg-current/10 aria-pressed:bg-primary aria-pressed:text-primary-content"
        >
          <Icon aria-hidden="true" className="size-5" />
        </button>
      ))}
    </fieldset>
  )
}

import { Monitor, Moon, Sun } from 'lucide-react'
import { useTheme } from '../../device/theme.ts'

const choices = [
  { value: 'light', label: 'Light', Icon: Sun },
  { value: 'dark', label: 'Dark', Icon: Moon },
  { value: 'system', label: 'System', Icon: Monitor },
] as const

export function ThemeToggle() {
  const { choice, choose } = useTheme()
  return (
    <fieldset aria-label="Theme" className="inline-flex rounded-full border border-current/25 p-0.5">
      {choices.map(({ value, label, Icon }) => (
        <button
          key={value}
          type="button"
          aria-pressed={value === choice}
          aria-label={label}
          title={label}
          onClick={() => choose(value)}
          className="grid size-11 cursor-pointer place-items-center rounded-full hover:bg-current/10 aria-pressed:bg-primary aria-pressed:text-primary-content"
        >
          <Icon className="size-5" />
        </button>
      ))}
    </fieldset>
  )
}

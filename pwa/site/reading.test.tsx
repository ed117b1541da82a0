import { renderToStaticMarkup } from 'react-dom/server'
import { MemoryRouter } from 'react-router-dom'
import { expect, it } from 'vitest'
import { Rich } from './reading.tsx'

const shown = (text: string) =>
  renderToStaticMarkup(
    <MemoryRouter>
      <Rich text={text} />
    </MemoryRouter>,
  )

it.each(['/contact', '/terms#payments', 'https://law.example/act', 'mailto:help@site.example'])(
  'a link that says where it leads is one: %s',
  (address) => {
    expect(shown(`See [this](${address}).`)).toMatch(`href="${address}"`)
  },
)

it.each(['//evil.example', '/\\evil.example', '\\\\evil.example', '/\t/evil.example', ' //evil.example/contact'])(
  'a link that looks like a page here and leaves the site is words alone: %j',
  (address) => {
    expect(shown(`See [this](${address}).`).replace(/<\/?span>/g, '')).toBe('See this.')
  },
)

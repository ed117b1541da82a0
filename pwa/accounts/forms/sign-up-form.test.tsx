import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import { fieldOf, useZodForm } from '../../ui/forms/use-zod-form.ts'
import { signUpValues, UsernameField } from './sign-up-form.tsx'

const olivia = {
  username: 'olivia',
  email: 'olivia@example.com',
  organizationName: '',
  password: 'secret',
  confirmPassword: 'secret',
}

const messagesOf = (values: unknown) =>
  Object.fromEntries(
    (signUpValues.safeParse(values).error?.issues ?? []).map(({ path, message }) => [path.join('.'), message]),
  )

describe('the sign-up form', () => {
  it('accepts the shortest name and password that are allowed, without an organization', () => {
    expect(messagesOf({ ...olivia, username: 'oli' })).toEqual({})
  })

  it('takes one password for the same however its letters are composed', () => {
    const password = 'später'
    const twice = { password: password.normalize('NFD'), confirmPassword: password.normalize('NFD') }
    expect(messagesOf({ ...olivia, ...twice })).toEqual({})
    expect(messagesOf({ ...olivia, ...twice, confirmPassword: password.normalize('NFC') })).toEqual({})
  })

  it.each([
    ['a two-letter name', { username: 'ol' }, { username: 'Username must be at least 3 characters' }],
    ['an address without a domain', { email: 'olivia@' }, { email: 'Please enter a valid email address' }],
    [
      'five characters',
      { password: 'secre', confirmPassword: 'secre' },
      { password: 'Password must be at least 6 characters' },
    ],
    ['two different passwords', { confirmPassword: 'secret2' }, { confirmPassword: "Passwords don't match" }],
  ])('refuses %s in the words of the specification', (_, change, expected) => {
    expect(messagesOf({ ...olivia, ...change })).toEqual(expected)
  })

  it('shows the mismatch together with the other mistakes', () => {
    expect(messagesOf({ ...olivia, email: 'x', confirmPassword: 'other' })).toEqual({
      email: 'Please enter a valid email address',
      confirmPassword: "Passwords don't match",
    })
  })

  it('says of the username that guests read it', () => {
    const Username = () => <UsernameField {...fieldOf(useZodForm(signUpValues, olivia), 'username')} />
    expect(renderToStaticMarkup(<Username />)).toContain('Guests read “Hosted by” with this name')
  })
})

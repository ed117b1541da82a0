export { ChangeEmailForm } from './change-email-form.tsx'
export { HostForm } from './host-form.tsx'
export { SignInForm } from './sign-in-form.tsx'

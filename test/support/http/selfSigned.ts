/** A key and a certificate for localhost that nobody has any reason to trust; good for nothing but tests. */
export const selfSigned = {
  key: `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgnm2p5MrbRNZo4L14
tYapNo4nv5SWjcml1knqF/Q1NM+hRANCAARYsy48uGxGj2hu/DeoicjhhuYoDNRF
jslAdggCqlTFZrZUEcjPM7lJJ2925ukkasSknaFdh4XGdEJhj5KNlKfj
-----END PRIVATE KEY-----`,
  cert: `-----BEGIN CERTIFICATE-----
MIIBmzCCAUGgAwIBAgIUAqEYJiEvKRRk+MjR1T08lXFwvccwCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTEyMTA2MTYxMVoYDzIxMjYxMDI4
MDYxNjExWjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAARYsy48uGxGj2hu/DeoicjhhuYoDNRFjslAdggCqlTFZrZUEcjPM7lJ
J2925ukkasSknaFdh4XGdEJhj5KNlKfjo28wbTAdBgNVHQ4EFgQUrBqJK7q/NB+q
N6kWX0xYtYLXbhEwHwYDVR0jBBgwFoAUrBqJK7q/NB+qN6kWX0xYtYLXbhEwDwYD
VR0TAQH/BAUwAwEB/zAaBgNVHREEEzARgglsb2NhbGhvc3SHBH8AAAEwCgYIKoZI
zj0EAwIDSAAwRQIhAPppFnx1zactsmqCECbS0ucVEnyghsCSA5rDJXgER+7PAiAJ
mWPwpjaPbG1/AU9odjOapEiVBL1HcxISLbEWluIewQ==
-----END CERTIFICATE-----`,
};

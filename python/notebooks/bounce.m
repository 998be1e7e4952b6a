function bounce(longest)
% A rubber ball falls on a stone floor and bounces: Hertz stiffness, damping by Flores' law, ode45 with events.
% Prints time and velocity of three touches and releases.
%   MATLAB:      bounce
%   GNU Octave:  octave-cli --quiet --eval bounce
% longest: the longest step [s]. Octave looks for events on a straight line between steps, so they must be short.
if nargin < 1, longest = 1e-4; end
warning('off', 'integrate_adaptive:unexpected_termination');

p.g = 9.81;                                        % [m/s^2]
p.R = 0.03;                                        % radius [m]
p.m = 1100*4/3*pi*p.R^3;                           % mass [kg]
E = 1/((1 - 0.48^2)/5e6 + (1 - 0.2^2)/50e9);       % composite modulus [Pa]
p.K = 4/3*E*sqrt(p.R);                             % Hertz stiffness [N/m^1.5]
p.eta = 8*(1 - 0.8)/(5*0.8);                       % Flores, restitution 0.8

opts = odeset('RelTol', 1e-10, 'AbsTol', 1e-12);
falls = odeset(opts, 'MaxStep', longest, 'Events', @(t, y) gap(y, p, -1));
rises = odeset(opts, 'MaxStep', longest/20, 'Events', @(t, y) gap(y, p, 1));

t = 0;  y = [0.53; 0];                             % height of the centre [m], velocity [m/s]
for k = 1:3
    [T, Y] = ode45(@(t, y) [y(2); -p.g], [t, t + 2], y, falls);
    t = T(end);  y = Y(end, :)';
    fprintf('touch   %.12f %.12f\n', t, y(2));

    v = -y(2);                                     % the speed of the impact, which the law wants
    [T, Y] = ode45(@(t, y) [y(2); -p.g + force(y, v, p)/p.m], [t, t + 0.1], y, rises);
    t = T(end);  y = Y(end, :)';
    fprintf('release %.12f %.12f\n', t, y(2));
end
end

function [value, isterminal, direction] = gap(y, p, way)
value = y(1) - p.R;  isterminal = 1;  direction = way;
end

function F = force(y, v, p)
delta = max(p.R - y(1), 0);
F = p.K*delta^1.5*(1 - p.eta*y(2)/v);
end
